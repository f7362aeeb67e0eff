import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matching } from "../../test/matching.ts";
import { addressReference, secretReference, withoutSecrets } from "./reference.ts";

const origin = {
  env: { RABBIT_URL: "amqp://u:hunter2@h", PASSWORD: "hunter2", EMPTY: "" },
  readText: async (path: string) => {
    if (path !== "/run/secret") throw Object.assign(new Error("no"), { code: "ENOENT" });
    return "hunter2\n";
  },
};

describe("a reference", () => {
  it.each([
    ["${RABBIT_URL}", "amqp://u:hunter2@h"],
    ["amqp://u:${PASSWORD}@h/v", "amqp://u:hunter2@h/v"],
    ["file:/run/secret", "hunter2"],
    ["file:///run/secret", "hunter2"],
    ["amqp://localhost", "amqp://localhost"],
  ])("resolves %s", async (written, value) => {
    expect(await addressReference(written).resolve(origin)).toBe(value);
  });

  it.each([
    ["${MISSING}", /MISSING is not set/],
    ["${EMPTY}", /EMPTY is not set/],
    ["file:/nowhere", /ENOENT/],
  ])("refuses %s with the way out", async (written, message) => {
    await expect(addressReference(written).resolve(origin)).rejects.toMatchObject({
      code: "INVALID_CONFIG",
      message: matching(message),
    });
  });

  it("gives nothing away when it is printed or serialised", () => {
    for (const reference of [addressReference("amqp://u:hunter2@h"), secretReference("hunter2")]) {
      expect(JSON.stringify(reference) + String(reference.shown)).not.toContain("hunter2");
    }
  });

  it.each([
    ["amqp://u:p@h:5672/v", "amqp://u:***@h:5672/v"],
    ["postgres://h/db?password=p", "postgres://h/db?…"],
    ["amqp://u:p/q@r@h", "amqp://u:***@h"],
    ["u:p@h", "***@h"],
    ["kafka://h1:9092,h2:9092", "kafka://h1:9092,h2:9092"],
  ])("shows %s as %s", (address, shown) => {
    expect(withoutSecrets(address)).toBe(shown);
  });

  it("never shows a password, whatever characters are in it", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (noise) => {
        const password = `hunter2${noise}hunter2`;
        expect(withoutSecrets(`amqp://user:${password}@host:5672/v`)).toBe("amqp://user:***@host:5672/v");
      }),
    );
  });
});
