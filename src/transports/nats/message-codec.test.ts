import { headers as makeHeaders } from "@nats-io/transport-node";
import { expect, it } from "vitest";
import { decodeMessage } from "./message-codec.ts";

function againOf(subject: string, json: string) {
  const headers = makeHeaders();
  headers.append("dlo-nats-again", json);
  return decodeMessage({ headers, data: new Uint8Array(), subject }, subject).again;
}

it("believes how a message came to be there again only where we send it ourselves", () => {
  const again = { position: "S:1", deliveries: 2, redelivered: false };
  for (const kind of ["again", "charged", "delayed"])
    expect(againOf(`dlo.${kind}.orders`, JSON.stringify(again))).toEqual(again);
  for (const subject of ["orders", "dlo.queue.orders_dlq", "orders.dlo.again.x"])
    expect(againOf(subject, JSON.stringify(again))).toBeNull();
});

it("believes nothing there that is not what we write", () => {
  const written = { deliveries: 1, redelivered: true };
  const strange = { ...written, position: 5, dueAt: "soon", to: ["orders"] };
  expect(againOf("dlo.again.orders", JSON.stringify(strange))).toEqual(written);
  for (const json of ['{"position":"S:1"}', '{"deliveries":-1,"redelivered":true}', "null", "5", "{", ""])
    expect(againOf("dlo.again.orders", json)).toBeNull();
});
