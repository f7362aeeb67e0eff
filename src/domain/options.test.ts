import { expect, it } from "vitest";
import { isOfficeError } from "./errors.ts";
import { nearestName, refuseUnknownNames, requireNumber, requireOneOf, withDefaults } from "./options.ts";

const refusal = (run: () => unknown): string => {
  try {
    run();
  } catch (error) {
    if (isOfficeError(error, "INVALID_OPTION")) return error.message;
    throw error;
  }
  throw new Error("nothing was refused");
};

it("takes the default where an option is missing or explicitly undefined", () => {
  const defaults: Required<{ a?: number | undefined; b?: number }> = { a: 1, b: 2 };
  expect(withDefaults<{ a?: number | undefined; b?: number }>(defaults, { a: undefined })).toEqual({ a: 1, b: 2 });
});

it("refuses a name nobody knows, with the nearest right one", () => {
  expect(refusal(() => refuseUnknownNames(["maxAtempts"], ["maxAttempts", "backoff"], "retry"))).toBe(
    "`retry.maxAtempts` is not an option. Did you mean `retry.maxAttempts`?",
  );
  expect(refusal(() => refuseUnknownNames(["colour"], ["maxAttempts"]))).toContain("Known are: maxAttempts");
});

it("refuses a number out of its bounds, naming the option, the bound and what it was", () => {
  expect(refusal(() => requireNumber("concurrency", 0, { min: 1, integer: true }))).toBe(
    "`concurrency` must be a whole number, 1 or more. It is 0.",
  );
  for (const wrong of [Number.NaN, Number.POSITIVE_INFINITY, "5", null, -1, 11, 1.5]) {
    expect(refusal(() => requireNumber("n", wrong, { min: 0, max: 10, integer: true }))).toContain("between 0 and 10");
  }
});

it("refuses a choice that is not offered, with the nearest one", () => {
  expect(refusal(() => requireOneOf("order", "keys", ["none", "key"]))).toContain('Did you mean "key"?');
  expect(refusal(() => requireOneOf("order", 7, ["none", "key"]))).toContain("one of none, key");
});

it("suggests nothing that is not close", () => {
  expect(nearestName("zzzzzz", ["alpha", "beta"])).toBeUndefined();
  expect(nearestName("ful", ["full-jitter", "all"])).toBe("full-jitter");
});
