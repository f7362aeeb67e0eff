import { deepEqual, equal, ok, rejects } from "node:assert/strict";
import type { Turn } from "../../stores/inbox.ts";
import { ampleMs, type InboxPromise, shortMs } from "./bench.ts";

/** Who may work at a key, and who not. */
export const turns: readonly InboxPromise[] = [
  {
    title: "lets exactly one of many callers run",
    async run(bench) {
      let runs = 0;
      const outcomes = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          bench.once(
            {},
            async () => {
              runs += 1;
              await bench.quiet(30);
            },
            index % 2 === 0 ? bench.inbox : bench.other,
          ),
        ),
      );
      deepEqual([runs, outcomes.filter((outcome) => outcome === "ran").length], [1, 1]);
    },
  },
  {
    title: "calls a key busy while somebody is at work",
    async run(bench) {
      const { end, outcome } = await bench.begin();
      equal(await bench.once({}, undefined, bench.other), "busy");
      end();
      equal(await outcome, "ran");
      equal(await bench.once({}, undefined, bench.other), "duplicate");
    },
  },
  {
    title: "keeps the turn of whoever extends it in time",
    async run(bench) {
      const { turn, end, outcome } = await bench.begin({ leaseMs: ampleMs });
      for (let round = 0; round < 4; round++) {
        ok(await turn.extend(ampleMs));
        await bench.quiet(ampleMs / 3);
        equal(await bench.once({}, undefined, bench.other), "busy");
      }
      end();
      equal(await outcome, "ran");
    },
  },
  {
    title: "gives the turn of a caller that stood still to the next",
    async run(bench) {
      await bench.begin({ leaseMs: shortMs });
      await bench.quiet(shortMs + 50);
      equal(await bench.once({}, undefined, bench.other), "ran");
    },
  },
  {
    title: "rejects a caller that lost its turn, however well its work ended",
    async run(bench) {
      const { turn, end, outcome } = await bench.begin({ leaseMs: shortMs });
      await bench.quiet(shortMs + 50);
      const next = await bench.begin();
      equal(await turn.extend(30_000), false);
      end();
      await rejects(outcome);
      equal(await bench.once(), "busy");
      next.end();
      equal(await next.outcome, "ran");
    },
  },
  {
    title: "remembers nothing of work that was abandoned, however well it ended",
    async run(bench) {
      await rejects(bench.once({}, async (turn) => turn.abandon()));
      equal(await bench.once(), "ran");
    },
  },
  {
    title: "rejects as abandoned work did",
    async run(bench) {
      const failure = new Error("out of time");
      const giveUp = async (turn: Turn<unknown>) => {
        turn.abandon();
        throw failure;
      };
      await rejects(bench.once({}, giveUp), (error) => error === failure);
      equal(await bench.once(), "ran");
    },
  },
];
