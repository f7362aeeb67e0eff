import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { InboxOutcome } from "../../stores/inbox.ts";
import { eventually } from "../eventually.ts";
import { ampleMs, type InboxPromise } from "./bench.ts";

/** What is remembered, and for how long. */
export const remembering: readonly InboxPromise[] = [
  {
    title: "runs the work of a key once, and calls the next a duplicate",
    async run(bench) {
      let runs = 0;
      const work = async () => {
        runs += 1;
      };
      deepEqual([await bench.once({}, work), await bench.once({}, work)], ["ran", "duplicate"]);
      equal(runs, 1);
    },
  },
  {
    title: "remembers for other processes too",
    async run(bench) {
      await bench.once();
      equal(await bench.once({}, undefined, bench.other), "duplicate");
    },
  },
  {
    title: "takes the same key in another scope for another message",
    async run(bench) {
      await bench.once({ scope: "ab", key: "c" });
      equal(await bench.once({ scope: "a", key: "bc" }), "ran");
      equal(await bench.once({ scope: "", key: "abc" }), "ran");
    },
  },
  {
    title: "takes any text for a key, and tells keys apart to the last letter",
    async run(bench) {
      const keys = [
        "",
        " ",
        "K",
        "k",
        "ключ 🙂",
        "with\u0000nul",
        "x".repeat(5_000),
        `${"x".repeat(4_999)}y`,
        "k'; --",
      ];
      for (const key of keys) equal(await bench.once({ key }), "ran", key.slice(0, 20));
      for (const key of keys) equal(await bench.once({ key }), "duplicate", key.slice(0, 20));
    },
  },
  {
    title: "remembers only success: rejects as the work did, and the next try runs",
    async run(bench) {
      const failure = new Error("the payment was refused");
      await rejects(
        bench.once({}, () => Promise.reject(failure)),
        (error) => error === failure,
      );
      equal(await bench.once(), "ran");
    },
  },
  {
    title: "forgets a success when its window is over, and not before",
    async run(bench) {
      await bench.once({ windowMs: ampleMs });
      equal(await bench.once({ windowMs: ampleMs }), "duplicate");
      await eventually(async () => (await bench.once({ windowMs: ampleMs })) === "ran");
    },
  },
  {
    title: "does not prolong the window when a duplicate comes",
    async run(bench) {
      await bench.once({ windowMs: ampleMs });
      const outcomes: InboxOutcome[] = [];
      await eventually(async () => {
        outcomes.push(await bench.once({ windowMs: 60_000 }));
        return outcomes.at(-1) === "ran";
      });
      ok(outcomes.length > 1);
    },
  },
  {
    title: "remembers nothing of work without a key",
    async run(bench) {
      await bench.inbox.without(() => Promise.resolve());
      equal(await bench.once(), "ran");
    },
  },
];
