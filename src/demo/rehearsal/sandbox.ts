import { type OpenedOffice, openOffice } from "../../compose.ts";
import type { Actor } from "../../domain/actor.ts";
import { type Host, pause } from "../../domain/clock.ts";
import { Unprocessable } from "../../domain/handler-errors.ts";
import { makeMessage } from "../../domain/message.ts";
import { queueNames } from "../../domain/wire.ts";
import { markDemo } from "../../ledger/demo-mark.ts";
import { officeReports } from "../../reports/office-reports.ts";
import { type Consumer, createConsumer } from "../../runtime/consumer.ts";
import { memorySource } from "../../sources/memory-source.ts";
import { memoryInbox } from "../../stores/memory-inbox.ts";
import { memoryTransport } from "../../transports/memory.ts";
import { memoryBroker } from "../../transports/memory-broker.ts";

/** The queues of a drill, each with a consumer that fails as it is told. */
export const drillQueues = ["forbidden", "overdue", "ramp", "changing"] as const;
export type DrillQueue = (typeof drillQueues)[number];

/** What the consumer of a queue does with whatever it gets. */
export type Mood = "away" | "picky" | "well";

export const drillOperator: Actor = { id: "drill-operator", kind: "demo", roles: ["operator"] };
export const drillApprover: Actor = { id: "drill-approver", kind: "demo", roles: ["approver"] };
const drillAdmin: Actor = { id: "drill-admin", kind: "demo", roles: ["admin"] };

/** An office of its own with a broker inside this process: no message of a drill comes from outside or goes there. */
export interface Sandbox {
  readonly call: OpenedOffice["call"];
  /** How the consumer of each queue is. */
  readonly moods: Record<DrillQueue, Mood>;
  /** How many messages the consumer of a queue was given. */
  handled(queue: DrillQueue): number;
  /** Letters that died in a queue, taken in: so many of them. */
  fill(queue: DrillQueue, letters: number): Promise<void>;
  /** Waits until that is so, or for as long as a drill may take. False: it did not become so. */
  until(isSo: () => Promise<boolean>): Promise<boolean>;
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** Where its ledger is made; a folder of its own, which the caller takes away. */
  readonly folder: string;
  readonly version: string;
  readonly host: Host;
  /** The policy that holds in it. */
  readonly policy: string;
  /** How long something is waited for that should happen, in milliseconds. */
  readonly patienceMs: number;
}

/** How soon it looks again: at first, and at the latest. */
const lookAfterMs = { first: 50, last: 1_000 } as const;
/** Of what it has waited so far: on a busy machine looking would leave no time to what is waited for. */
const lookAfterShare = 0.1;

export async function openSandbox({ folder, version, host, policy, patienceMs }: SandboxOptions): Promise<Sandbox> {
  const moods: Sandbox["moods"] = { forbidden: "away", overdue: "away", ramp: "away", changing: "away" };
  const given = new Map<DrillQueue, number>();
  const broker = memoryBroker({ clock: host.clock });
  const connect = () => memoryTransport({ broker, host });
  const transport = connect();
  const reports = officeReports({ transport, clock: host.clock });
  const office = await openOffice({
    ...{ databaseUrl: null, dataFolder: folder, configFile: null, env: {}, version },
    simulation: {
      host,
      async open(ledger) {
        await markDemo(ledger);
        const queues = drillQueues.map((queue) => queueNames.deadLetters(queue));
        return [{ name: "drill", opened: memorySource(connect(), broker), queues }];
      },
    },
  });
  const consumers = drillQueues.map((queue) => {
    const handle = () => {
      given.set(queue, (given.get(queue) ?? 0) + 1);
      behave(moods[queue]);
    };
    return consumerOf(queue, handle, { transport, host, version, observers: [reports] });
  });
  for (const consumer of consumers) void consumer.start();
  await office.startWork();
  await office.call("policy.apply", drillAdmin, { text: policy, file: "the drill's policy", reason: "a drill" });
  const until: Sandbox["until"] = (isSo) => waitFor(host, patienceMs, isSo);
  return {
    ...{ call: office.call, moods, until, handled: (queue) => given.get(queue) ?? 0 },
    async fill(queue, letters) {
      for (let n = 1; n <= letters; n++) {
        const message = makeMessage({
          body: JSON.stringify({ order: n }),
          // The inbox remembers those of an earlier drill.
          headers: { "idempotency-key": host.newId() },
        });
        await transport.send({ name: queue }, message);
      }
      await waitFor(
        host,
        Math.max(patienceMs, fillWithinMs),
        async () => (await office.call("letters.count", drillOperator, { q: `queue:${queue}` })).n === letters,
      );
    },
    async close() {
      await Promise.all(consumers.map((consumer) => consumer.stop()));
      await reports.close();
      await office.close();
      await transport.close();
    },
  };
}

type Employment = Pick<Parameters<typeof createConsumer>[0], "transport" | "host" | "version" | "observers">;

function consumerOf(queue: DrillQueue, handle: () => void, employment: Employment): Consumer {
  return createConsumer<unknown>({
    ...{ ...employment, queue, service: "drill", instance: `drill-${queue}` },
    handler: async () => handle(),
    inbox: { store: memoryInbox() },
    ...{ breaker: false, retry: { maxAttempts: 1, budget: false } },
  });
}

function behave(mood: Mood): void {
  if (mood === "away") {
    // Refused before anything was sent: it is certain that nothing happened.
    throw Object.assign(new Error("payments refused the connection"), { code: "ECONNREFUSED" });
  }
  if (mood === "picky") throw new Unprocessable("field `currency` is missing", { kind: "schema" });
}

/** No guard is tried by it, and nothing can be tried without: a busy machine has its time, in milliseconds. */
const fillWithinMs = 300_000;

async function waitFor({ clock }: Host, patienceMs: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const begin = clock.now();
  while (!(await isSo())) {
    const waitedMs = clock.now() - begin;
    if (waitedMs > patienceMs) return false;
    await pause(clock, Math.min(Math.max(lookAfterMs.first, waitedMs * lookAfterShare), lookAfterMs.last));
  }
  return true;
}
