import { expect, it } from "vitest";
import { passPropertiesAsBytes, propertiesLimit } from "./raw-frames.ts";

/** A connection as amqplib makes it, as far as we reach into it. */
function fakeConnection() {
  return {
    rest: Buffer.alloc(0) as Buffer,
    frameMax: 4_096,
    channels: [null],
    sentSinceLastCheck: false,
    stream: { destroy: () => {} },
    recvFrame: (): unknown => "amqplib's own",
    sendMethod: () => true,
    sendMessage: () => true,
  };
}

/** A frame with properties, on channel 1, for a body of five bytes. */
function propertiesFrame(properties: Buffer): Buffer {
  const head = Buffer.from([2, 0, 1, 0, 0, 0, 12 + properties.length, 0, 60, 0, 0, 0, 0, 0, 0, 0, 0, 0, 5]);
  return Buffer.concat([head, properties, Buffer.from([206])]);
}

it("gives the properties of a message as bytes, and leaves what follows them", () => {
  const connection = fakeConnection();
  passPropertiesAsBytes(connection);
  const properties = Buffer.from([0x10, 0, 2]);
  connection.rest = Buffer.concat([propertiesFrame(properties), Buffer.from("next")]);
  expect(connection.recvFrame()).toEqual({ id: 60, channel: 1, size: 5, fields: properties });
  expect(connection.rest.toString()).toBe("next");
});

it("leaves every other frame to amqplib, and one that is not there as a whole", () => {
  const connection = fakeConnection();
  passPropertiesAsBytes(connection);
  const frame = propertiesFrame(Buffer.from([0x10, 0, 2]));
  const others = [Buffer.from([1, 0, 1, 0, 0, 0, 0, 206]), Buffer.from([2, 0, 1, 0, 0, 0, 0, 206]), Buffer.alloc(0)];
  for (const rest of [...others, ...Array.from(frame.keys(), (length) => frame.subarray(0, length))]) {
    connection.rest = rest;
    expect(connection.recvFrame()).toBe("amqplib's own");
    expect(connection.rest).toBe(rest);
  }
});

it("says how much fits into one frame", () => {
  expect(propertiesLimit(fakeConnection())).toBe(4_096 - 8 - 12);
});

it.each(["rest", "frameMax", "channels", "stream", "recvFrame", "sendMethod", "sendMessage"])(
  "refuses an amqplib that is built without %s, rather than misread its messages",
  (part) => {
    expect(() => passPropertiesAsBytes({ ...fakeConnection(), [part]: undefined })).toThrow("npm install amqplib@");
  },
);
