import { expect, it } from "vitest";
import { OfficeError } from "../../../domain/errors.ts";
import { systemHost } from "../../../system/host.ts";
import { PartitionSender } from "./producer.ts";

const closed = new OfficeError("TRANSPORT_CLOSED", "The Kafka transport is closed.");
const lost = new OfficeError("TRANSPORT_UNAVAILABLE", "gave no answer");
const record = { key: null, value: Buffer.from("x"), headers: [] };

/** To a broker that answers each try with the next of these. */
function sendTo(...answers: readonly OfficeError[]) {
  const left = [...answers];
  const cluster = {
    answerWithinMs: 10_000,
    leader: async () => ({ host: "localhost", port: 1 }),
    forgetLeaders: () => {},
    askForParts: async () => {
      throw left.shift() ?? closed;
    },
  };
  const identify = async () => ({ producerId: 1n, producerEpoch: 0 });
  return new PartitionSender({ topic: "orders", partition: 0 }, { cluster, host: systemHost, identify }).add(record);
}

it("says of a record that nothing was sent where its transport was closed before", async () => {
  await expect(sendTo(closed)).rejects.toMatchObject({ code: "TRANSPORT_CLOSED" });
});

it("does not say so of a record whose answer was lost when its transport was closed: it may be in the log", async () => {
  await expect(sendTo(lost, closed)).rejects.toMatchObject({ code: "TRANSPORT_UNAVAILABLE" });
});
