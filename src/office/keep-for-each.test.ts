import { expect, it } from "vitest";
import { pause } from "../domain/clock.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { keepForEach } from "./keep-for-each.ts";

it("works on each name there is: begins with what is new, stops what is gone, and ends with all of them ended", async () => {
  const clock = fakeClock();
  const stop = new AbortController();
  const log: string[] = [];
  let names = ["one", "two"];
  const running = keepForEach({
    ...{ clock, signal: stop.signal, names: () => names },
    async keep(name, signal) {
      log.push(`begin ${name}`);
      await pause(clock, 1e9, signal);
      log.push(`end ${name}`);
    },
  });
  await clock.advance(5_000);
  expect(log.splice(0)).toEqual(["begin one", "begin two"]);
  names = ["two", "three"];
  await clock.advance(5_000);
  expect(log.splice(0).sort()).toEqual(["begin three", "end one"]);
  names = ["one"];
  await clock.advance(5_000);
  expect(log.splice(0).sort()).toEqual(["begin one", "end three", "end two"]);
  stop.abort();
  await running;
  expect(log).toEqual(["end one"]);
});
