import { describe, expect, it } from "vitest";
import { parseKafkaAddress } from "./kafka-address.ts";

describe("the address of Kafka", () => {
  it.each([
    ["kafka://h", { brokers: [{ host: "h", port: 9092 }], tls: undefined, sasl: undefined }],
    [
      "kafkas://a:1,b:2/",
      {
        brokers: [
          { host: "a", port: 1 },
          { host: "b", port: 2 },
        ],
        tls: {},
      },
    ],
    ["kafka://[::1]:9093", { brokers: [{ host: "::1", port: 9093 }] }],
    ["kafka://u%40x:p%3A@h:1", { sasl: { mechanism: "PLAIN", username: "u@x", password: "p:" } }],
    ["kafka://u:p@h:1?sasl=scram-sha-512", { sasl: { mechanism: "SCRAM-SHA-512", username: "u", password: "p" } }],
  ])("%s is understood", (text, wanted) => {
    expect(parseKafkaAddress(text)).toMatchObject(wanted);
  });

  it.each(["", "h:9092", "http://h", "kafka://", "kafka://h:x", "kafka://a,,b", "kafka://u:p@h?sasl=magic"])(
    "%j is refused",
    (text) => {
      expect(() => parseKafkaAddress(text)).toThrow(/kafka:\/\/host:port/);
    },
  );
});
