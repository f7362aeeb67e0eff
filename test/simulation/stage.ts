import type { BlockedKeys } from "../../src/stores/blocked-keys.ts";
import type { Inbox } from "../../src/stores/inbox.ts";
import { memoryBlockedKeys } from "../../src/stores/memory-blocked-keys.ts";
import { memoryInbox } from "../../src/stores/memory-inbox.ts";
import { memorySharedState } from "../../src/stores/memory-shared-state.ts";
import type { SharedState } from "../../src/stores/shared-state.ts";
import { memoryCapabilities } from "../../src/transports/memory.ts";
import { type MemoryBroker, memoryBroker } from "../../src/transports/memory-broker.ts";
import { memoryLink } from "../../src/transports/memory-link.ts";
import type { MemoryReceipt } from "../../src/transports/memory-queue.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { faultyLink } from "./faulty-link.ts";
import { HandOvers } from "./hand-overs.ts";
import { createNetwork, type Network } from "./network.ts";
import { drawScenario, type Outage, type Scenario } from "./scenario.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import { type Effect, Witness, workQueue } from "./witness.ts";
import { beginningOfTime, createWorld, type World } from "./world.ts";

/** Requests that were held up, and handlers that block, still make themselves felt for this long after faults stop. */
const aftermathMs = 20_000;

/** All that outlives every process: the broker, the database, the network between, and the one who watches. */
export interface Stage {
  readonly scenario: Scenario;
  readonly world: World;
  readonly network: Network;
  readonly broker: MemoryBroker;
  readonly inbox: Inbox<Effect[]>;
  readonly sharedState: SharedState;
  readonly blockedKeys: BlockedKeys;
  readonly handOvers: HandOvers<MemoryReceipt>;
  readonly witness: Witness;
  /** Whether this is down just now. */
  isDown(what: Outage["what"]): boolean;
}

export function setStage(seed: string, scenario = drawScenario(seed)): Stage {
  const world = createWorld(seed);
  const witness = new Witness(world, scenario);
  const network = createNetwork(world, scenario.faults.rates);
  return {
    scenario,
    world,
    network,
    witness,
    broker: memoryBroker({ clock: world.clock }),
    inbox: memoryInbox<Effect[]>({
      clock: world.clock,
      transactions: { begin: () => [], commit: (effects) => witness.took(effects), rollback: () => {} },
    }),
    sharedState: memorySharedState({ clock: world.clock }),
    blockedKeys: memoryBlockedKeys({ clock: world.clock }),
    handOvers: new HandOvers({
      clock: world.clock,
      quietSince: () => (network.isCalm ? beginningOfTime + scenario.faults.untilMs + aftermathMs : Infinity),
      accuse: (what) => witness.accuse(what),
    }),
    isDown: (what) => !network.isCalm && isWithin(scenario, what, world.clock.now() - beginningOfTime),
  };
}

function isWithin({ faults }: Scenario, what: Outage["what"], sinceStartMs: number): boolean {
  return faults.outages.some((outage) => {
    const afterMs = sinceStartMs - outage.atMs;
    return outage.what === what && afterMs >= 0 && afterMs < outage.forMs;
  });
}

/** A process's own connection to the broker. */
export function connect(stage: Stage, process: SimulatedProcess): Transport {
  const { scenario, world, network, broker, handOvers, witness } = stage;
  const link = faultyLink({
    inner: memoryLink(broker, { atomic: scenario.atomicMove, holdsBack: scenario.holdsBack }),
    network,
    process,
    handOvers,
    dice: world.dice.fork(`${process.name}'s link`),
    leaseCutShort: scenario.faults.leaseCutShort,
    // As with RabbitMQ, which has neither.
    hasPositions: scenario.settings.order === "none" || scenario.holdsBack,
    isFull: (queue) => queue !== workQueue && stage.isDown("dead-letters"),
    stored: (queue, message) => witness.storedIn(queue, message),
    accuse: (what) => witness.accuse(what),
  });
  return pullTransport(link, {
    broker: "memory",
    capabilities: memoryCapabilities(scenario.atomicMove, scenario.holdsBack),
    pollMs: 1_000,
    answerWithinMs: 10_000,
    host: process.host,
  });
}
