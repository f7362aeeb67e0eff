import { expect, it } from "vitest";
import { isIntroducedBy } from "./introduced-by.ts";

it.each([
  ["1.8.2", "1.8.2", true],
  ["orders@1.8.2", "1.8.2", true],
  ["orders 1.8.2", "1.8.2", true],
  ["billing@1.8.2", "1.8.2", false],
  ["1.8", "1.8.2", false],
  ["3f2a91c", "3f2a91c0d4e5f60718293a4b5c6d7e8f90a1b2c3", true],
  ["3f2a91c0d4e5f60718293a4b5c6d7e8f90a1b2c3", "1.8.2+3f2a91c", true],
  ["3F2A91C", "v1.8-4-g3f2a91c", true],
  ["3f2a91c", "3f2a91d", false],
  ["3f2a", "3f2a91c", false],
  ["20261115", "2026-20261115", false],
])("says of %s whether it is orders %s: %s", (said, version, is) => {
  expect(isIntroducedBy(said, { service: "orders", version })).toBe(is);
});
