import { expect, it } from "vitest";
import { serverRules } from "./server-version.ts";

const unlimited = { "x-delivery-limit": -1 };

it.each([
  ["3.10.8", {}, "x-delivery-count"],
  ["3.13.7", {}, "x-delivery-count"],
  ["4.0.1", unlimited, "x-delivery-count"],
  ["4.2.0-rc.1", unlimited, "x-delivery-count"],
  ["4.3.0", unlimited, "x-acquired-count"],
  ["5.0.0", unlimited, "x-acquired-count"],
])("knows RabbitMQ %s", (version, unlimitedDeliveries, counter) => {
  expect(serverRules({ version })).toEqual({ unlimitedDeliveries, counter });
});

it.each([undefined, "", "unknown", "v4"])(
  "gives a server that calls its version %s nothing an old one could misunderstand",
  (version) => {
    const properties = version === undefined ? {} : { version };
    expect(serverRules(properties)).toEqual({ unlimitedDeliveries: {}, counter: "x-delivery-count" });
  },
);

it("refuses a version whose queues cannot do what is needed", () => {
  expect(() => serverRules({ version: "3.9.29" })).toThrow(
    '`url` must be that of RabbitMQ 3.10 or later. It is "3.9.29".',
  );
});
