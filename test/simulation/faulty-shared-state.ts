import type { SharedState } from "../../src/stores/shared-state.ts";
import type { Network } from "./network.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

export function faultySharedState(inner: SharedState, network: Network, process: SimulatedProcess): SharedState {
  return {
    read: (name) => network.call(process, "state", `read ${name}`, () => inner.read(name)),
    replace: (name, version, value) =>
      network.call(process, "state", `replace ${name}`, () => inner.replace(name, version, value)),
  };
}
