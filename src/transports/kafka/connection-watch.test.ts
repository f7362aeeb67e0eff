import { expect, it } from "vitest";
import { OfficeError } from "../../domain/errors.ts";
import { ConnectionWatch } from "./connection-watch.ts";
import { KafkaFault } from "./driver.ts";

const away = new OfficeError("TRANSPORT_UNAVAILABLE", "away");

function setup() {
  const kinds: string[] = [];
  const watch = new ConnectionWatch(({ kind }) => kinds.push(kind));
  return { kinds, watch };
}

it("reports the loss and the return of the broker once each, whoever finds out first", () => {
  const { kinds, watch } = setup();
  for (const part of ["fetch", "group", "fetch"]) watch.failed(part, away, 100);
  watch.works("fetch");
  expect(kinds).toEqual(["connection-lost"]);
  watch.works("group");
  watch.works("group");
  expect(kinds).toEqual(["connection-lost", "connection-restored"]);
});

it("says nothing of a fault that passes, and something of one that does not", () => {
  const { kinds, watch } = setup();
  const moving = new KafkaFault("COORDINATOR_NOT_AVAILABLE");
  for (let tries = 0; tries < 4; tries++) watch.failed("group", moving, 100);
  expect(kinds).toEqual([]);
  watch.failed("group", moving, 100);
  expect(kinds).toEqual(["connection-lost"]);
});

it("does not take a rebalance for a loss, however long it takes", () => {
  const { kinds, watch } = setup();
  for (let tries = 0; tries < 100; tries++) watch.failed("commit", new KafkaFault("REBALANCE_IN_PROGRESS"), 100);
  expect(kinds).toEqual([]);
});
