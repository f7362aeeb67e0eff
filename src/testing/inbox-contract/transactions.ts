import { deepEqual, equal, rejects } from "node:assert/strict";
import type { Turn } from "../../stores/inbox.ts";
import { type InboxPromise, shortMs } from "./bench.ts";

/** What becomes of a handler's own writes. */
export const transactions: readonly InboxPromise[] = [
  {
    title: "commits what was written together with the success",
    async run(bench) {
      await bench.once({}, ({ tx }) => bench.write(tx, "kept"));
      deepEqual(await bench.lines(), ["kept"]);
    },
  },
  {
    title: "takes back what was written when the work rejects",
    async run(bench) {
      const work = async ({ tx }: Turn<unknown>) => {
        await bench.write(tx, "gone");
        throw new Error("no");
      };
      await rejects(bench.once({}, work));
      deepEqual(await bench.lines(), []);
    },
  },
  {
    title: "takes back what was written when the work is abandoned",
    async run(bench) {
      const work = async (turn: Turn<unknown>) => {
        await bench.write(turn.tx, "gone");
        turn.abandon();
      };
      await rejects(bench.once({}, work));
      await bench.once({}, ({ tx }) => bench.write(tx, "kept"));
      deepEqual(await bench.lines(), ["kept"]);
    },
  },
  {
    title: "takes back what a caller wrote that lost its turn",
    async run(bench) {
      const late = await bench.begin({ leaseMs: shortMs }, ({ tx }) => bench.write(tx, "late"));
      await bench.quiet(shortMs + 50);
      equal(await bench.once({}, ({ tx }) => bench.write(tx, "kept"), bench.other), "ran");
      late.end();
      await rejects(late.outcome);
      deepEqual(await bench.lines(), ["kept"]);
    },
  },
  {
    title: "commits what was written without a key, or takes it back when the work rejects",
    async run(bench) {
      await bench.inbox.without((tx) => bench.write(tx, "kept"));
      const failing = async (tx: unknown) => {
        await bench.write(tx, "gone");
        throw new Error("no");
      };
      await rejects(bench.inbox.without(failing));
      deepEqual(await bench.lines(), ["kept"]);
    },
  },
];
