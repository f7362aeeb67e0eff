import { describe, expect, it } from "vitest";
import { managementOf } from "./inspect-rabbitmq.ts";

describe("the address of the management API", () => {
  const url = "amqp://shop:p%40ss@rabbit.example:5672/orders";

  it("is the usual port of the broker's host, with the same user", () => {
    expect(managementOf({ url })).toBe("http://shop:p%40ss@rabbit.example:15672");
    expect(managementOf({ url: "amqps://rabbit.example" })).toBe("https://guest:guest@rabbit.example:15671");
  });

  it("has the broker's user where it names none, on the same host", () => {
    const management = "http://rabbit.example:8080/rabbit";
    expect(managementOf({ url, management })).toBe("http://shop:p%40ss@rabbit.example:8080/rabbit");
  });

  it.each([
    ["it names a user of its own", url, "http://watcher:x@rabbit.example:8080"],
    ["it is on another host, which the password was not meant for", url, "http://elsewhere.example:15672"],
    ["it would carry in the clear what the broker gets over TLS", "amqps://a:b@c.example", "http://c.example:15672"],
  ])("is left as it is where %s", (_, at, management) => {
    expect(managementOf({ url: at, management })).toBe(management);
  });
});
