import type { BreakerPhase } from "../../src/policies/circuit-breaker.ts";
import type { Handler } from "../../src/runtime/attempt.ts";
import { act } from "./behaviour.ts";
import type { Transaction } from "./faulty-inbox.ts";
import type { SimulatedProcess } from "./simulated-process.ts";
import type { Stage } from "./stage.ts";
import type { Effect } from "./witness.ts";

export interface Order {
  readonly id: string;
}

/** Does to each message what it was planned to do, under the eyes of the witness. */
export function orderHandler(
  stage: Stage,
  process: SimulatedProcess,
  breakerPhase: () => BreakerPhase | undefined,
): Handler<Order, Transaction<Effect> | undefined> {
  const { witness, network, handOvers } = stage;
  return async ({ payload: { id }, message, attempt, signal, tx }) => {
    const planned = witness.planned.get(id);
    if (planned === undefined) return witness.accuse(`a handler got ${id}, which nobody sent`);
    const { key, behaviour } = planned;
    if (behaviour.kind === "undecodable") return witness.accuse(`a handler got ${id}, which cannot be decoded`);
    const isTamed = witness.runsOf(key) >= behaviour.times || (network.isCalm && behaviour.times !== Infinity);
    const handOver = handOvers.ofMessage(message) ?? handOvers.heldAs(process, id);
    const run = witness.began({ id, process, handOver, attempt, phase: breakerPhase() });
    signal.addEventListener("abort", () => run.state === "running" && witness.ended(run, "given-up"));
    // Written before anything can fail: only the transaction keeps it from being seen.
    tx?.write({ id, key });
    try {
      await act(behaviour, { process, signal, isTamed, isDependencyUp: !stage.isDown("dependency") });
    } catch (error) {
      witness.ended(run, "failed");
      throw error;
    }
    if (tx === undefined) witness.took([{ id, key }]);
    witness.ended(run, "succeeded");
  };
}
