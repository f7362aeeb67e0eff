import { expect, it } from "vitest";
import { makeMessage, textHeader } from "../../../src/domain/message.ts";
import { goesWell, refused, scriptedSqs } from "./scripted-sqs.ts";
import { setup } from "./workbench.ts";

const tooLong = "One or more parameters are invalid. Reason: Message must be shorter than 262144 bytes.";

it("sends a dead letter without its error where its queue takes less than we were told", async () => {
  const { endpoint, entries } = await scriptedSqs({
    SendMessageBatch: (input, count) =>
      count === 1 ? refused(input, "InvalidParameterValue", tooLong) : goesWell(input),
  });
  const { transport, queue } = setup(endpoint);
  const headers = [textHeader("dlo-queue", "shop"), textHeader("dlo-error", "boom"), textHeader("dlo-history", "[]")];
  await transport.send(queue, makeMessage({ body: "x", headers }));
  const sent = entries("SendMessageBatch").map(({ MessageAttributes }) => JSON.stringify(MessageAttributes));
  expect(sent.map((attributes) => attributes.includes("dlo-error"))).toEqual([true, false]);
  expect(sent[1]).toContain("dlo-queue");
});

it("says that a message is too large that has nothing to go without", async () => {
  const { endpoint, entries } = await scriptedSqs({
    SendMessageBatch: (input) => refused(input, "InvalidParameterValue", tooLong),
  });
  const { transport, queue } = setup(endpoint);
  const sending = transport.send(queue, makeMessage({ body: "x" }));
  await expect(sending).rejects.toMatchObject({ code: "MESSAGE_TOO_LARGE" });
  expect(entries("SendMessageBatch")).toHaveLength(1);
});
