import type { Actor } from "../../domain/actor.ts";
import { pause } from "../../domain/clock.ts";
import type { Queries } from "../../domain/database.ts";
import { showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { giveUpLead, keepLead, type Lead, leadReplay } from "../../ledger/lead-replay.ts";
import { readReplay } from "../../ledger/read-replay.ts";
import {
  acknowledgedNumbers,
  countStandings,
  doubtfulToSend,
  type ItemToSend,
  nextToSend,
} from "../../ledger/replay-items.ts";
import {
  beginSettling,
  beginStep,
  endWait,
  findWaiting,
  haltReplay,
  isSettled,
  moveReplay,
  releaseItems,
} from "../../ledger/replay-moves.ts";
import type { HaltCause, ReplayRecord, ReplayState } from "../../ledger/replay-record.ts";
import { readStop } from "../../ledger/stopped-sending.ts";
import { approvalFacts } from "./approvals.ts";
import { standingApprovals } from "./approvers.ts";
import { awayForTooLong } from "./broker-away.ts";
import { examineItems } from "./examine-items.ts";
import type { ExaminedLetter } from "./examine-letters.ts";
import { circumstancesAgainst, returnsAgainst } from "./halt-causes.ts";
import { approvalHash } from "./plan-hash.ts";
import { recentLooks } from "./recent-looks.ts";
import { countItems, type ReplayCounts, rampEnds, verdictOf } from "./replay-counts.ts";
import type { ReplayParts, SilenceWatch } from "./replay-parts.ts";
import { seekEvidence } from "./seek-evidence.ts";
import { findRepeatable, hasInboxKey } from "./send-again.ts";
import { type LineTo, sendLines } from "./send-lines.ts";
import { type MeantWindow, sendStep } from "./send-step.ts";
import { sendWindow } from "./send-window.ts";
import { settleAfter } from "./settle-after.ts";
import { settleWindowS } from "./settle-window.ts";
import { placesOf } from "./waiting-places.ts";
import type { SentWindow } from "./windows-in-flight.ts";

/** How a replay is led. */
export interface RunTuning {
  /** How long others wait for a silent leader, in milliseconds. */
  readonly leaseMs: number;
  /** How often the leader shows that it lives, and looks whether it should stop, in milliseconds. */
  readonly beatMs: number;
  /** How long a broker that does not answer is waited for, whoever leads it meanwhile, in milliseconds. */
  readonly awayMs: number;
}

const runTuning: RunTuning = { leaseMs: 6_000, beatMs: 500, awayMs: 900_000 };

/** How a run ended: with the state the replay has now, or because somebody else leads it or this process stops. */
export type RunEnd = ReplayState | "led elsewhere" | "stopped";

export interface RunRequest {
  readonly replay: Uint8Array;
  /** In whose name it runs: the letters are judged again for this person. */
  readonly actor: Actor;
  readonly signal: AbortSignal;
}

/**
 * Runs a replay that was started, from wherever it stands, until it ends, is paused, or this process stops. Any number of
 * processes may try: one leads, and when it is gone another takes over. What the one before may have sent and did not
 * report is in doubt, and is never sent again by itself.
 */
export async function runReplay(
  parts: ReplayParts,
  request: RunRequest,
  tuning: RunTuning = runTuning,
): Promise<RunEnd> {
  const lead = await leadReplay(parts.ledger, request.replay, tuning.leaseMs);
  if (lead === null) return endElsewhere(parts, request.replay);
  return new ReplayRun(parts, lead, request, tuning).run();
}

/** How it is for whoever does not lead it. */
async function endElsewhere({ ledger }: ReplayParts, replay: Uint8Array): Promise<RunEnd> {
  const { state } = await readReplay(ledger, ledger.database, { id: replay });
  return state === "running" || state === "settling" ? "led elsewhere" : state;
}

class ReplayRun {
  readonly #parts: ReplayParts;
  readonly #lead: Lead;
  readonly #request: RunRequest;
  readonly #tuning: RunTuning;
  /** Aborted as soon as nothing more may be sent: stopped, paused, or no longer the leader. */
  readonly #over = new AbortController();
  /** Aborted when nothing is under way any more. */
  readonly #idle = new AbortController();
  /** Of what is waited for, by place. */
  readonly #watches = new Map<string, SilenceWatch>();
  /** Where its messages go, by source. */
  readonly #lineTo: LineTo;
  /** Of how many in doubt nobody can tell: only when there are more does it look again. */
  #untold = 0;
  #end: RunEnd = "stopped";

  constructor(parts: ReplayParts, lead: Lead, request: RunRequest, tuning: RunTuning) {
    this.#parts = { ...parts, look: recentLooks(parts, tuning.beatMs) };
    this.#lead = lead;
    this.#lineTo = sendLines((source) => parts.line(source, lead.replay));
    this.#request = request;
    this.#tuning = tuning;
  }

  async run(): Promise<RunEnd> {
    const stop = () => this.#over.abort();
    this.#request.signal.addEventListener("abort", stop, { once: true });
    if (this.#request.signal.aborted) stop();
    const beating = this.#beat();
    try {
      while (!this.#over.signal.aborted) await this.#goOn();
    } catch (error) {
      await this.#halt(await awayForTooLong(this.#parts.ledger, this.#lead, { error, awayMs: this.#tuning.awayMs }));
    } finally {
      this.#request.signal.removeEventListener("abort", stop);
      this.#over.abort();
      this.#idle.abort();
      await beating;
      await giveUpLead(this.#parts.ledger, this.#lead).catch(() => {});
    }
    return this.#end;
  }

  /**
   * Keeps the lease, and hears of a pause within a beat. A ledger that does not answer for a whole lease has lost it. When it is
   * over the lease is kept for as long as a broker owes an answer: a send that may still happen is not abandoned.
   */
  async #beat(): Promise<void> {
    const { ledger, host } = this.#parts;
    const { beatMs, leaseMs } = this.#tuning;
    let keptAt = host.clock.now();
    while (!this.#idle.signal.aborted) {
      await pause(host.clock, beatMs, this.#idle.signal);
      const askedAt = host.clock.now();
      const state = await keepLead(ledger, this.#lead, leaseMs).catch(() => undefined);
      if (state !== undefined) keptAt = askedAt;
      if (state === null || host.clock.now() - keptAt >= leaseMs) return this.#finish("led elsewhere");
      if (state !== undefined && state !== "running" && state !== "settling") this.#finish(state);
    }
  }

  #finish(end: RunEnd): void {
    if (this.#over.signal.aborted) return;
    this.#end = end;
    this.#over.abort();
  }

  async #goOn(): Promise<void> {
    const { ledger } = this.#parts;
    const record = await readReplay(ledger, ledger.database, { id: this.#lead.replay });
    if (record.state !== "running" && record.state !== "settling") return this.#finish(record.state);
    const counts = await this.#counted();
    this.#untold = Math.min(this.#untold, counts.inDoubt);
    if (counts.inDoubt > this.#untold) return this.#seekEvidence(record, counts);
    const cause = returnsAgainst(record, counts);
    if (cause !== null) return this.#halt(cause);
    const begun = counts.sent + counts.inDoubt;
    if (begun < record.stepEnd && counts.notYetSent > 0) return this.#send(record, counts, record.stepEnd - begun);
    if (record.stepEnd > 0 && !(await this.#hasSettled(record, counts))) return;
    await this.#nextStep(record, await this.#counted());
  }

  async #counted(): Promise<ReplayCounts> {
    const { ledger } = this.#parts;
    return countItems(await countStandings(ledger, ledger.database, this.#lead.replay));
  }

  /** Before anything else is sent: what did not arrive has its turn before what comes after it. */
  async #seekEvidence(record: ReplayRecord, counts: ReplayCounts): Promise<void> {
    const { actor, replay } = this.#request;
    await seekEvidence(this.#parts, { replay, actor, lineTo: this.#lineTo });
    await this.#sendAgain(record, counts);
    this.#untold = (await this.#counted()).inDoubt;
  }

  /** What no broker tells of, under the same mark, where its consumer's inbox would know a second copy for what it is. */
  async #sendAgain(record: ReplayRecord, { toSend }: ReplayCounts): Promise<void> {
    const { id, limits } = record;
    let after = 0;
    while (!this.#over.signal.aborted) {
      // Asked before each window: consumers come and go while others are sent.
      const numbers = (await findRepeatable(this.#parts, id)).filter((n) => n > after).slice(0, limits.batch);
      const last = numbers.at(-1);
      if (last === undefined || !(await this.#sendCopies(record, numbers, toSend))) return;
      after = last;
    }
  }

  /** False when it is unknown whether all of them went: nothing is sent on top of those. */
  async #sendCopies(record: ReplayRecord, numbers: readonly number[], planned: number): Promise<boolean> {
    const { ledger, host } = this.#parts;
    const items = await doubtfulToSend(ledger, record.id, numbers);
    const examined = (await this.#examine(record, items, planned)).filter(hasInboxKey);
    if (examined.length === 0 || this.#over.signal.aborted) return true;
    const { sent, inDoubt, again } = await this.#sendWindow({ items, examined }, true);
    await pause(host.clock, (sent / record.limits.rate) * 1_000, this.#over.signal);
    return inDoubt === 0 && again === 0;
  }

  async #sendWindow(letters: MeantWindow, areSecondCopies = false): Promise<SentWindow> {
    const sent = await sendWindow(this.#parts, { lead: this.#lead, lineTo: this.#lineTo, areSecondCopies }, letters);
    // Whoever stopped all sending may have died before it had paused this one.
    if (sent.sent === 0) await this.#pauseIfStopped();
    return sent;
  }

  async #send(record: ReplayRecord, counts: ReplayCounts, room: number): Promise<void> {
    const { ledger, host } = this.#parts;
    const stop = await sendStep<HaltCause | "unverified">({
      ...{
        clock: host.clock,
        signal: this.#over.signal,
        limits: record.limits,
        room,
        lookEveryMs: this.#tuning.beatMs,
      },
      next: (after, limit) => nextToSend(ledger, { replay: record.id, after, limit }),
      examine: (items) => this.#examine(record, items, counts.toSend),
      against: (window) =>
        isUnverified(record, counts) && !mayGoUnverified(window.examined) ? "unverified" : circumstancesAgainst(window),
      goSideBySide: (items) => this.#goSideBySide(items),
      send: (window) => this.#sendWindow(window),
      mayGoOn: () => this.#isAllWell(record),
    });
    if (record.waitsFor !== null) await endWait(ledger, this.#lead);
    if (stop === "unverified") return this.#pauseUnverified(counts.unknown);
    if (stop !== null) await this.#halt(stop);
  }

  async #goSideBySide(items: readonly ItemToSend[]): Promise<boolean> {
    const lines = await Promise.all([...new Set(items.map(({ source }) => source))].map((name) => this.#lineTo(name)));
    return lines.every(({ sideBySide }) => sideBySide);
  }

  /** Whether what was sent so far went well, as far as that is known by now. */
  async #isAllWell(record: ReplayRecord): Promise<boolean> {
    const counts = await this.#counted();
    return counts.inDoubt <= this.#untold && returnsAgainst(record, counts) === null;
  }

  /** Judged again, under what is so now: it can only become less allowed than it was planned. */
  async #examine(record: ReplayRecord, items: readonly ItemToSend[], planned: number) {
    const { ledger, host } = this.#parts;
    const [policy, approvals, acknowledged] = await Promise.all([
      this.#parts.policy(),
      standingApprovals(this.#parts, ledger.database, record),
      acknowledgedNumbers(ledger, ledger.database, record.id),
    ]);
    const hash = approvalHash(record.planHash, acknowledged);
    const approval = approvalFacts(record, approvals, { hash, now: host.clock.now() });
    const { actor } = this.#request;
    return examineItems(this.#parts, {
      record,
      items,
      actor,
      policy,
      approval,
      planned,
      going: new Set(),
      mustSee: true,
    });
  }

  /** True when the outcomes of the step are known, or have been waited for long enough and are as known as they will be. */
  async #hasSettled(record: ReplayRecord, counts: ReplayCounts): Promise<boolean> {
    const { ledger, host } = this.#parts;
    if (counts.waiting === 0) return true;
    // A wait that begins anew, because more was sent, is for all that is there by now.
    if (record.settlesAt === null) this.#watches.clear();
    await this.#watch();
    if (record.settlesAt === null) await beginSettling(ledger, this.#lead, await this.#windowS(record));
    if (await isSettled(ledger, this.#lead)) return this.#presume();
    await pause(host.clock, this.#tuning.beatMs, this.#over.signal);
    return false;
  }

  /** Once for each wait, when all of a step is sent: what is consumed by the end of the wait must be what was sent. */
  async #watch(): Promise<void> {
    if (this.#watches.size > 0) return;
    const { ledger, watch } = this.#parts;
    for (const [name, place] of placesOf(await findWaiting(ledger, this.#lead))) {
      this.#watches.set(name, await watch(place, this.#lead.replay));
    }
  }

  async #windowS({ id, limits }: ReplayRecord): Promise<number> {
    const places = [...placesOf(await findWaiting(this.#parts.ledger, this.#lead)).values()];
    return settleWindowS(this.#parts.ledger, { replay: id, leastS: limits.settleS, places });
  }

  /** False when it was over before all could be looked at: what is not known then is waited for again. */
  async #presume(): Promise<boolean> {
    const { ledger } = this.#parts;
    const { signal } = this.#over;
    for (const [name, watch] of this.#watches) {
      const silence = await watch(signal);
      if (signal.aborted) return false;
      // What came back or was reported meanwhile is not waiting any more.
      const items = placesOf(await findWaiting(ledger, this.#lead)).get(name)?.numbers ?? [];
      await settleAfter(this.#parts, silence, { replay: this.#lead.replay, numbers: items });
    }
    this.#watches.clear();
    return true;
  }

  async #nextStep(record: ReplayRecord, counts: ReplayCounts): Promise<void> {
    const { ledger } = this.#parts;
    if (counts.notYetSent === 0) return this.#conclude(counts);
    if (isUnverified(record, counts) && !(await this.#mayGoOn(record, counts)))
      return this.#pauseUnverified(counts.unknown);
    const begun = counts.sent + counts.inDoubt;
    const ends = rampEnds(record.limits.ramp, begun + counts.notYetSent);
    await beginStep(ledger, this.#lead, ends.find((end) => end > begun) ?? begun + counts.notYetSent);
  }

  /** Of those whose turn is next; the others of the step are asked about with the window they go in. */
  async #mayGoOn(record: ReplayRecord, { toSend }: ReplayCounts): Promise<boolean> {
    const { id, limits } = record;
    const items = await nextToSend(this.#parts.ledger, { replay: id, after: 0, limit: limits.batch });
    return mayGoUnverified(await this.#examine(record, items, toSend));
  }

  async #conclude(counts: ReplayCounts): Promise<void> {
    const { ledger } = this.#parts;
    const told = { action: "replay.finished", details: { verdict: verdictOf(counts), counts } };
    await this.#endAs("finished", told, async (transaction) => {
      if (!(await this.#move(transaction, ["running", "settling"], "finished"))) return false;
      await releaseItems(ledger, transaction, this.#lead.replay);
      return true;
    });
  }

  async #halt(cause: HaltCause): Promise<void> {
    await this.#endAs("halted", { action: "replay.halted", details: { ...cause } }, (transaction) =>
      haltReplay(this.#parts.ledger, transaction, this.#lead, cause),
    );
  }

  /** What nobody reports on is not taken for success: a person decides whether to go on. */
  #pauseUnverified(unknown: number): Promise<void> {
    return this.#pause({ because: "outcome unknown", unknown });
  }

  async #pauseIfStopped(): Promise<void> {
    const { ledger } = this.#parts;
    const stop = await readStop(ledger, ledger.database);
    if (stop !== null) await this.#pause({ because: "all sending is stopped", stoppedBy: stop.by });
  }

  #pause(details: Told["details"]): Promise<void> {
    return this.#endAs("paused", { action: "replay.paused", details }, (transaction) =>
      this.#move(transaction, ["running"], "paused"),
    );
  }

  /** Only while it leads: one that slept decides nothing about what its successor sends. */
  #move(queries: Queries, from: readonly ReplayState[], to: ReplayState): Promise<boolean> {
    const { replay: id, epoch } = this.#lead;
    return moveReplay(this.#parts.ledger, queries, { id, epoch, from, to });
  }

  async #endAs(end: RunEnd, { action, details }: Told, change: (queries: Queries) => Promise<boolean>): Promise<void> {
    const { ledger, host } = this.#parts;
    const { actor, replay } = this.#request;
    const isEnded = await ledger.database.transaction(async (transaction) => {
      if (!(await change(transaction))) return false;
      const told = { replay: showId("replay", replay), ...details };
      await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details: told });
      return true;
    });
    this.#finish(isEnded ? end : await endElsewhere(this.#parts, replay));
  }
}

/** What the audit log is told. */
interface Told {
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** Of more letters than a person went on with, nobody can say how they went. */
function isUnverified({ accepted }: ReplayRecord, { unknown }: ReplayCounts): boolean {
  return unknown > accepted.unknown;
}

/** Whether the policy lets each of them go all the same. */
function mayGoUnverified(examined: readonly ExaminedLetter[]): boolean {
  return examined.every(({ protocol }) => protocol.onUnknown === "continue");
}
