import { expect, it } from "vitest";
import { OfficeError } from "../domain/errors.ts";
import { fakeClock } from "../testing/fake-clock.ts";
import { askBroker, hostIn, whatWentWrong, whyNotAsked } from "./ask-broker.ts";

const coded = (code: string, more: ErrorOptions = {}) => Object.assign(new Error(`it said ${code}`, more), { code });

it.each<[unknown, string | null]>([
  [coded("ECONNREFUSED"), "refused the connection"],
  [new OfficeError("TRANSPORT_UNAVAILABLE", "No.", { cause: coded("ECONNREFUSED") }), "refused the connection"],
  [new AggregateError([coded("ECONNREFUSED"), coded("ENETUNREACH")]), "refused the connection"],
  [new Error("connect ENOTFOUND kafka-1"), "is not a known host (ENOTFOUND)"],
  [coded("28P01"), "refused the user, the password or the right to look"],
  [coded("42501"), "refused the user, the password or the right to look"],
  [coded("57P03"), "is stopping or starting"],
  [new OfficeError("ACCESS_REFUSED", "No."), "refused the user, the password or the right to look"],
  [new OfficeError("TRANSPORT_UNAVAILABLE", "No."), "did not answer"],
  [new Error("Connection terminated due to connection timeout"), "did not answer"],
  [new Error("Connection terminated unexpectedly"), "closed the connection"],
  [coded("42P01"), "answered with an error (42P01)"],
  [new TypeError("undefined is not a function"), null],
  [coded("ERR_INVALID_ARG_TYPE"), null],
  [new OfficeError("SOURCE_NOT_FOUND", "No."), null],
])("reads what an address did instead of answering: %s", (error, expected) => {
  expect(whatWentWrong(error)).toBe(expected);
});

it("names hosts without users, passwords and paths", () => {
  expect(hostIn("amqp://ana:s%40cret@rabbit-1:5672/orders?x=1")).toBe("rabbit-1:5672");
  expect(hostIn("kafka://kafka-1:9092,kafka-2:9092,kafka-3:9092")).toBe("kafka-1:9092 (and 2 more)");
  expect(hostIn("sqs://eu-central-1")).toBe("eu-central-1");
});

it("waits no longer than it may, and keeps faults of its own apart", async () => {
  const clock = fakeClock();
  const asking = { source: "kafka", where: async () => "kafka-1:9092", clock };
  const silent = askBroker({ ...asking, ask: () => new Promise<never>(() => {}), withinMs: 3_000 });
  const told = silent.catch(whyNotAsked);
  await clock.advance(3_000);
  expect(await told).toBe("kafka-1:9092 did not answer within 3 s");
  const bug = new TypeError("undefined is not a function");
  await expect(askBroker({ ...asking, ask: () => Promise.reject(bug), withinMs: null })).rejects.toBe(bug);
  expect(whyNotAsked(bug)).toBe(null);
});
