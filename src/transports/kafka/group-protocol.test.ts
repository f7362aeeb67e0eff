import { AssignerProtocol } from "kafkajs";
import { expect, it } from "vitest";
import { decodeAssignment, decodeSubscription, encodeAssignment, encodeSubscription } from "./group-protocol.ts";

const partitions = [
  { topic: "orders", partition: 0 },
  { topic: "orders", partition: 2 },
  { topic: "ünï", partition: 7 },
];

it("reads back what it writes", () => {
  expect(decodeAssignment(encodeAssignment(partitions))).toEqual(partitions);
  expect(decodeSubscription(encodeSubscription(["orders", "ünï"], { lanes: [1] }))).toEqual({
    topics: ["orders", "ünï"],
    userData: { lanes: [1] },
  });
});

it("writes what every client of Kafka reads", () => {
  expect(AssignerProtocol.MemberAssignment.decode(encodeAssignment(partitions))?.assignment).toEqual({
    orders: [0, 2],
    ünï: [7],
  });
  expect(AssignerProtocol.MemberMetadata.decode(encodeSubscription(["orders"], {}))?.topics).toEqual(["orders"]);
});

it("has nothing where nothing is assigned", () => {
  expect([decodeAssignment(Buffer.of()), decodeAssignment(encodeAssignment([]))]).toEqual([[], []]);
});

it("does not stumble over what others say of themselves", () => {
  const stranger = AssignerProtocol.MemberMetadata.encode({ version: 1, topics: ["x"], userData: Buffer.from("{{") });
  expect(decodeSubscription(stranger)).toEqual({ topics: ["x"], userData: null });
});
