import { expect, it } from "vitest";
import { keyRows } from "./keys.ts";

const place = { queue: "accounts", number: 42, key: "account-7", since: null, letter: null };

it("tells a place that its store no longer has from one that no one could ask about", () => {
  const release = { because: "person", state: "released", notedAt: "", endedAt: "", trouble: null } as const;
  const rows = keyRows(
    {
      items: [
        { ...place, source: "rabbit", place: "rabbit/accounts/42", state: null, behind: null, release },
        { ...place, source: "kafka", place: "kafka/accounts/42", state: null, behind: null, release: null },
        { ...place, source: "rabbit", place: "rabbit/accounts/43", state: "dead", behind: 0, release: null },
      ],
      unchecked: [{ source: "kafka", why: "connect ECONNREFUSED" }],
    },
    { when: (at) => String(at) },
  );
  expect(rows.map(([state, , , behind]) => [state, behind])).toEqual([
    ["gone", ""],
    ["?", "?"],
    ["dead", "0"],
  ]);
});
