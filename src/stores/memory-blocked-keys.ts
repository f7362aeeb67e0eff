import type { Clock } from "../domain/clock.ts";
import type { DeadPlace } from "../domain/key-release.ts";
import { systemClock } from "../system/host.ts";
import type {
  BlockedKey,
  BlockedKeys,
  BlockedKeysSummary,
  Lane,
  LaneAnswer,
  LaneArrival,
  LaneEntry,
  LaneFate,
  LaneFinding,
  LanePlace,
  LaneQuestion,
  LaneRelease,
  LaneState,
  LaneWeighing,
} from "./blocked-keys.ts";

/** One number of a lane. */
interface Row {
  readonly number: number;
  readonly since: number;
  state: LaneState;
  turn: string;
  /** Null once its message carries the number. */
  mark: string | null;
  charge: string | null;
  /** What its message came with before it carried the number. */
  copy: string | null;
}

/** For so long after a dead place is gone its message is known when it comes without a number, in milliseconds. */
const copyKnownMs = 7 * 24 * 3_600_000;

interface LaneRows {
  readonly queue: string;
  readonly key: Uint8Array;
  /** Lowest number first, never empty. */
  readonly rows: Row[];
}

interface Pass {
  readonly holder: string;
  readonly until: number;
}

/** The blocked keys of one process: for tests, for trying out, and for the transport in memory. */
export function memoryBlockedKeys({ clock = systemClock }: { readonly clock?: Clock } = {}): BlockedKeys {
  return new MemoryBlockedKeys(clock);
}

class MemoryBlockedKeys implements BlockedKeys {
  readonly #clock: Clock;
  readonly #lanes = new Map<string, LaneRows>();
  readonly #passes = new Map<string, Pass>();
  /** Until when copies of messages whose dead places are gone are known. */
  readonly #copies = new Map<string, number>();
  #lastNumber = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  async arrive(lane: Lane, arrival: LaneArrival): Promise<LanePlace> {
    const { number, revived, turn } = arrival;
    const isNew = number === null || revived;
    if (this.#isPassed(lane, arrival)) return { kind: "passed" };
    const mark = textOf(arrival.mark);
    const known = this.#rows(lane).find((row) => row.number === number || (isNew && row.mark === mark));
    if (known === undefined && !isNew) return { kind: "passed" };
    if (known === undefined) this.#voidUnsent(lane);
    if (known === undefined && this.#rows(lane).length === 0) return { kind: "free" };
    const row = known ?? this.#append(lane, { mark, state: "parked" });
    row.turn = turn;
    const isFirst = this.#rows(lane)[0] === row;
    if (isFirst) return { kind: "first", number: row.number, charge: row.charge };
    row.state = "parked";
    return { kind: "behind", number: row.number };
  }

  async enter(lane: Lane, { mark, turn, charge }: LaneEntry): Promise<number> {
    const text = textOf(mark);
    const known = this.#rows(lane).find((row) => row.mark === text);
    if (known === undefined) this.#voidUnsent(lane);
    const row = known ?? this.#append(lane, { mark: text, state: "waiting" });
    Object.assign(row, { turn, state: "waiting", charge: charge ?? null });
    return row.number;
  }

  async charge(lane: Lane, number: number, turn: string, charge: string): Promise<LaneAnswer> {
    return this.#change(lane, number, turn, { charge });
  }

  async keep(lane: Lane, number: number, turn: string): Promise<LaneAnswer> {
    return this.#change(lane, number, turn, { state: "waiting", charge: null });
  }

  async confirm(
    lane: Lane,
    number: number,
    turn: string,
    state: LaneFate,
    copy: Uint8Array | null = null,
  ): Promise<LaneAnswer> {
    const before = this.#rows(lane).find((one) => one.number === number && one.turn === turn);
    const known = copy === null ? {} : { copy: textOf(copy) };
    if (known.copy !== undefined && known.copy !== before?.copy) this.#rememberCopy(lane, before?.copy ?? null);
    return this.#change(lane, number, turn, { state, charge: null, mark: null, ...known });
  }

  async leave(lane: Lane, number: number, turn: string): Promise<"lost" | "open" | "parked" | "blocked"> {
    const row = this.#rows(lane).find((one) => one.number === number);
    if (row !== undefined && row.turn !== turn) return "lost";
    if (row !== undefined) this.#remove(lane, row);
    const next = this.#rows(lane)[0];
    if (next === undefined) return "open";
    return isFetchable(next) ? "parked" : "blocked";
  }

  async release(places: readonly DeadPlace[]): Promise<readonly LaneRelease[]> {
    return places.map((place) => this.#release(place));
  }

  #release({ number, ...lane }: DeadPlace): LaneRelease {
    const row = this.#rows(lane).find((one) => one.number === number);
    if (row === undefined) return "gone";
    if (row.state !== "dead") return "alive";
    this.#remove(lane, row);
    return "released";
  }

  async list(
    queue: string | null,
    { limit = 100, after = 0 }: Parameters<BlockedKeys["list"]>[1] = {},
  ): Promise<readonly BlockedKey[]> {
    return this.#blocked()
      .filter((key) => (queue === null || key.queue === queue) && key.number > after)
      .slice(0, limit);
  }

  async find(asked: readonly LaneQuestion[]): Promise<readonly LaneFinding[]> {
    return asked.map((question) => {
      const rows = this.#rows(question);
      const lane = this.#lanes.get(idOf(question));
      const index = rows.findIndex(({ number, mark }) => number === question.number && mark === null);
      const state = rows[index]?.state;
      return {
        blocked: lane === undefined || lane.rows[0]?.mark !== null ? null : blockedKeyOf(lane),
        place: state === undefined ? null : { state, ahead: index, behind: rows.length - 1 - index },
      };
    });
  }

  async summarize(): Promise<readonly BlockedKeysSummary[]> {
    const sums = new Map<string, BlockedKeysSummary>();
    for (const { queue, state, behind, since } of this.#blocked()) {
      const id = JSON.stringify([queue, state]);
      const sum = sums.get(id) ?? { queue, state, keys: 0, behind: 0, since };
      const oldest = Math.min(since, sum.since);
      sums.set(id, { ...sum, keys: sum.keys + 1, behind: sum.behind + behind, since: oldest });
    }
    return [...sums.values()];
  }

  async claimPass(
    queue: string,
    holder: string,
    leaseMs: number,
    { forReleases = false }: Parameters<BlockedKeys["claimPass"]>[3] = {},
  ): Promise<boolean> {
    const now = this.#clock.now();
    const pass = this.#passes.get(queue);
    const isTaken = pass !== undefined && pass.holder !== holder && pass.until > now;
    if (isTaken || !this.#hasFetchable(queue, forReleases)) return false;
    this.#passes.set(queue, { holder, until: now + leaseMs });
    return true;
  }

  async endPass(queue: string, holder: string): Promise<void> {
    if (this.#passes.get(queue)?.holder === holder) this.#passes.delete(queue);
  }

  async countParked(queue: string): Promise<number> {
    const lanes = [...this.#lanes.values()].filter((lane) => lane.queue === queue);
    return lanes.reduce((sum, { rows }) => sum + rows.filter(isFetchable).length, 0);
  }

  async weigh(lane: Lane, number: number): Promise<LaneWeighing> {
    const rows = this.#rows(lane);
    const row = rows.find((one) => one.number === number);
    if (row === undefined) return { kind: "passed" };
    return isFlowing(rows[0]) ? { kind: "release", turn: row.turn } : { kind: "stay" };
  }

  async released(lane: Lane, number: number, turn: string): Promise<void> {
    const row = this.#rows(lane).find((one) => one.number === number);
    if (row?.state === "parked" && row.turn === turn) row.state = "released";
  }

  #rows(lane: Lane): readonly Row[] {
    return this.#lanes.get(idOf(lane))?.rows ?? [];
  }

  /** It is a copy of what was dead already, and nobody put it back. */
  #isPassed(lane: Lane, { number, revived, copy = null }: LaneArrival): boolean {
    const state = this.#rows(lane).find((row) => row.number === number)?.state;
    if (state !== undefined) return state === "dead" && !revived;
    return (number === null || revived) && this.#isCopy(lane, copy);
  }

  #isCopy(lane: Lane, copy: Uint8Array | null): boolean {
    if (copy === null) return false;
    const text = textOf(copy);
    if (this.#rows(lane).some((row) => row.copy === text)) return true;
    return (this.#copies.get(`${idOf(lane)} ${text}`) ?? 0) > this.#clock.now();
  }

  #rememberCopy(lane: Lane, copy: string | null): void {
    if (copy === null) return;
    const now = this.#clock.now();
    for (const [id, until] of this.#copies) {
      if (until > now) break;
      this.#copies.delete(id);
    }
    this.#copies.set(`${idOf(lane)} ${copy}`, now + copyKnownMs);
  }

  #append({ queue, key }: Lane, { mark, state }: Pick<Row, "mark" | "state">): Row {
    const id = idOf({ queue, key });
    const lane = this.#lanes.get(id) ?? { queue, key, rows: [] };
    this.#lastNumber += 1;
    const row: Row = {
      number: this.#lastNumber,
      since: this.#clock.now(),
      state,
      mark,
      turn: "",
      charge: null,
      copy: null,
    };
    lane.rows.push(row);
    this.#lanes.set(id, lane);
    return row;
  }

  #remove(lane: Lane, row: Row): void {
    const id = idOf(lane);
    const rows = this.#lanes.get(id)?.rows ?? [];
    rows.splice(rows.indexOf(row), 1);
    if (row.state === "dead") this.#rememberCopy(lane, row.copy);
    if (rows.length === 0) this.#lanes.delete(id);
  }

  /** Another message of the key is here, so the one that was to be sent on was settled by somebody else. */
  #voidUnsent(lane: Lane): void {
    for (const row of this.#rows(lane).filter(({ mark }) => mark !== null)) this.#remove(lane, row);
  }

  #change(lane: Lane, number: number, turn: string, change: Partial<Row>): LaneAnswer {
    const row = this.#rows(lane).find((one) => one.number === number);
    if (row === undefined) return "passed";
    if (row.turn !== turn) return "lost";
    Object.assign(row, change);
    return "noted";
  }

  #hasFetchable(queue: string, forReleases: boolean): boolean {
    for (const lane of this.#lanes.values()) {
      const [first] = lane.rows;
      if (lane.queue !== queue || first === undefined) continue;
      if (isFetchable(first) || (forReleases && first.state === "dead")) return true;
    }
    return false;
  }

  /** Longest first. */
  #blocked(): BlockedKey[] {
    return [...this.#lanes.values()]
      .filter(({ rows }) => rows[0]?.mark === null)
      .map(blockedKeyOf)
      .sort((a, b) => a.number - b.number);
  }
}

function blockedKeyOf({ queue, key, rows }: LaneRows): BlockedKey {
  const { state, number, since } = rows[0] as Row;
  return { queue, key, state, number, since, behind: rows.length - 1 };
}

function isFetchable({ state, mark }: Row): boolean {
  return state === "parked" && mark === null;
}

function isFlowing(first: Row | undefined): boolean {
  return first !== undefined && first.mark === null && (first.state === "parked" || first.state === "released");
}

function idOf({ queue, key }: Lane): string {
  return `${queue.length}:${queue}${textOf(key)}`;
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("latin1");
}
