import type { Host } from "../domain/clock.ts";
import { type FakeClock, fakeClock } from "./fake-clock.ts";

export interface FakeHost extends Host {
  readonly clock: FakeClock;
}

/** A host whose clock stands still, whose dice always show the middle and whose ids count from 1. */
export function fakeHost(clock: FakeClock = fakeClock()): FakeHost {
  let ids = 0;
  return {
    clock,
    random: () => 0.5,
    newId() {
      ids += 1;
      return `id-${ids}`;
    },
  };
}
