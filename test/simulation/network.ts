import type { Dice } from "./dice.ts";
import { calmFate, drawFate, type Fate, type FaultKind, type FaultRates } from "./faults.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { World } from "./world.ts";

/** What processes call. Each has troubles of its own. */
export type Service = "broker" | "inbox" | "state" | "keys";

/** Carries every call from a process to what is outside it, and the answer back, or fails to. */
export interface Network {
  /** `act` is done at the service when the call arrives there, if it does. The promise settles in `from`, if it lives. */
  call<Result>(from: SimulatedProcess, service: Service, what: string, act: () => Promise<Result>): Promise<Result>;
  /** Ends the connections to a service, of one process or of all. Each call under way is done or not, by a coin. */
  cut(service: Service, from?: SimulatedProcess): void;
  /** Cuts every connection to a service, and refuses every call for a while. */
  takeDown(service: Service, forMs: number): void;
  /** From now on nothing goes wrong any more; what hangs is cut. */
  calmDown(): void;
  readonly isCalm: boolean;
  /** Requests that were held up and have not arrived yet: whoever made them may be long gone. */
  readonly strays: number;
  /** Counts a fault that is not the network's own. */
  count(kind: FaultKind): void;
  readonly faults: ReadonlyMap<FaultKind, number>;
}

interface CallUnderWay {
  readonly service: Service;
  readonly from: SimulatedProcess;
  readonly fate: Fate;
  /** Takes back the request, if it has not arrived yet. */
  intercept(): void;
  /** Tells the caller that its connection broke. */
  fail(): void;
}

export function createNetwork(world: World, rates: Readonly<Record<Service, FaultRates>>): Network {
  const dice = world.dice.fork("network");
  const calls = callsUnderWay(world, dice);
  const faults = new Map<FaultKind, number>();
  const downUntil = new Map<Service, number>();
  let isCalm = false;

  const count = (kind: FaultKind) => {
    faults.set(kind, (faults.get(kind) ?? 0) + 1);
  };
  const fateOf = (service: Service): Fate => {
    if (isCalm) return calmFate(dice);
    if (world.clock.now() < (downUntil.get(service) ?? 0)) return refusedFate(dice);
    const fate = drawFate(dice, rates[service]);
    if (fate.kind !== "ok") count(fate.kind);
    return fate;
  };

  return {
    call: (from, service, what, act) => calls.make({ from, service, what, fate: fateOf(service) }, act),
    cut(service, from) {
      world.trace.note(`${from?.name ?? "everybody"} loses the ${service}`);
      count("connection-cut");
      calls.cut((call) => call.service === service && (from === undefined || call.from === from));
    },
    takeDown(service, forMs) {
      world.trace.note(`the ${service} is down for ${forMs} ms`);
      count("outage");
      calls.cut((call) => call.service === service);
      downUntil.set(service, world.clock.now() + forMs);
    },
    calmDown() {
      isCalm = true;
      calls.cut((call) => call.fate.kind === "hung" || call.fate.kind === "slow");
    },
    get isCalm() {
      return isCalm;
    },
    get strays() {
      return calls.strays;
    },
    count,
    faults,
  };
}

interface Call {
  readonly from: SimulatedProcess;
  readonly service: Service;
  readonly what: string;
  readonly fate: Fate;
}

function callsUnderWay(world: World, dice: Dice) {
  const underWay = new Set<CallUnderWay>();
  const watched = new WeakSet<SimulatedProcess>();
  const strays = new Set<Fate>();

  /** What a dying process has asked for is done or not, by a coin; of what it waits for, it hears nothing. */
  const watch = (process: SimulatedProcess) => {
    if (watched.has(process)) return;
    watched.add(process);
    process.onCrash(() => {
      for (const call of underWay) if (call.from === process) drop(call);
    });
  };
  const drop = (call: CallUnderWay) => {
    underWay.delete(call);
    if (dice.chance(0.5)) call.intercept();
  };

  return {
    make<Result>(call: Call, act: () => Promise<Result>): Promise<Result> {
      // What is left of a dead process runs into a wall.
      if (call.from.state === "gone") return new Promise(() => {});
      watch(call.from);
      return new Promise((resolve, reject) => carry(world, { underWay, strays }, call, act, { resolve, reject }));
    },
    get strays() {
      return strays.size;
    },
    cut(isAffected: (call: CallUnderWay) => boolean): void {
      for (const call of [...underWay].filter(isAffected)) {
        drop(call);
        call.fail();
      }
    },
  };
}

interface Settlers<Result> {
  resolve(result: Result): void;
  reject(error: unknown): void;
}

function carry<Result>(
  world: World,
  { underWay, strays }: { readonly underWay: Set<CallUnderWay>; readonly strays: Set<Fate> },
  { from, service, what, fate }: Call,
  act: () => Promise<Result>,
  { resolve, reject }: Settlers<Result>,
): void {
  const { doneAfterMs, answer } = fate;
  const fail = () => {
    underWay.delete(call);
    reject(brokenConnection(answer.kind));
  };
  const answerWith = (settle: () => void) => {
    if (answer.kind !== "result") return;
    from.later(answer.afterMs - (doneAfterMs ?? 0), () => {
      underWay.delete(call);
      settle();
    });
  };
  const arrive = () => {
    strays.delete(fate);
    world.trace.note(`${from.name} ${service}.${what}${fate.kind === "ok" ? "" : ` (${fate.kind})`}`);
    act().then(
      (result) => answerWith(() => resolve(result)),
      (error: unknown) => answerWith(() => reject(error)),
    );
  };
  const cancelArrival = doneAfterMs === null ? () => {} : world.schedule(null, doneAfterMs, arrive);
  const intercept = () => {
    strays.delete(fate);
    cancelArrival();
  };
  const call: CallUnderWay = { service, from, fate, intercept, fail: () => from.later(0, fail) };
  underWay.add(call);
  if (fate.kind !== "ok" && doneAfterMs !== null) strays.add(fate);
  if (answer.kind !== "result") from.later(answer.afterMs, fail);
}

/** Drivers say this in many ways; nobody may depend on the words. */
function brokenConnection(kind: Fate["answer"]["kind"]): Error {
  const code = kind === "refused" ? "ECONNREFUSED" : "ECONNRESET";
  return Object.assign(new Error(`The connection broke (${code})`), { code });
}

function refusedFate(dice: Dice): Fate {
  return { kind: "refused", doneAfterMs: null, answer: { kind: "refused", afterMs: dice.between(0, 5) } };
}
