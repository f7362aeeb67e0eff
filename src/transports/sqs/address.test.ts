import { expect, it } from "vitest";
import { sqsPlace } from "./address.ts";

it.each([
  ["https://sqs.eu-west-1.amazonaws.com", { region: "eu-west-1", endpoint: null, credentials: null }],
  ["https://sqs.eu-west-1.amazonaws.com/111122223333", { region: "eu-west-1", endpoint: null }],
  ["sqs://us-gov-west-1", { region: "us-gov-west-1", endpoint: null }],
  [
    "https://vpce-1.sqs.eu-west-1.vpce.amazonaws.com",
    { region: "eu-west-1", endpoint: "https://vpce-1.sqs.eu-west-1.vpce.amazonaws.com" },
  ],
  ["http://127.0.0.1:9324?region=elasticmq", { region: "elasticmq", endpoint: "http://127.0.0.1:9324" }],
  ["sqs://127.0.0.1:9324", { region: null, endpoint: "http://127.0.0.1:9324" }],
  [
    "http://key:a%20secret@127.0.0.1:9324",
    { endpoint: "http://127.0.0.1:9324", credentials: { accessKeyId: "key", secretAccessKey: "a secret" } },
  ],
])("reads %s", (address, place) => {
  expect(sqsPlace(address)).toMatchObject(place);
});

it.each(["orders", "amqp://127.0.0.1", ""])("refuses %j without quoting it", (address) => {
  expect(() => sqsPlace(address)).toThrow(expect.objectContaining({ code: "INVALID_CONFIG" }) as Error);
});
