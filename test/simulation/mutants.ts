import { readFileSync } from "node:fs";

/**
 * The code, broken on purpose in one place. A simulation that does not notice is worth nothing, so each of these must be
 * caught. The library carries no hooks for them: the text is replaced while the file is loaded.
 */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  /** Must occur exactly once in the file. */
  readonly find: string;
  readonly replace: string;
  /** A seed that is known to have caught it: tried first, to be quick. */
  readonly seed: number;
}

const settle = "src/transports/settle.ts";
const memoryQueue = "src/transports/memory-queue.ts";
const memoryInbox = "src/stores/memory-inbox.ts";
const attemptRunner = "src/runtime/attempt-runner.ts";
const deliveryHandler = "src/runtime/delivery-handler.ts";
const verdicts = "src/runtime/verdicts.ts";
const orderKeeper = "src/runtime/order-keeper.ts";
const memoryBlockedKeys = "src/stores/memory-blocked-keys.ts";

/** What keeps the order of keys, broken in each of its parts. */
export const mutantsOfOrder: readonly Mutant[] = [
  {
    name: "dead letter without blocking its key",
    file: orderKeeper,
    find: 'return this.#sendOn(ordered, { to, message, fate: "dead" });',
    replace: "return verdict;",
    seed: 1,
  },
  {
    name: "number confirmed before it is sent",
    file: orderKeeper,
    find:
      "    await transport.send(to, withLaneNumber(message, lane.queue, number), { delayMs, onward: true, sendId });\n" +
      "    const answer = await store.confirm(lane, number, turn, fate, copy);",
    replace:
      "    const answer = await store.confirm(lane, number, turn, fate, copy);\n" +
      "    await transport.send(to, withLaneNumber(message, lane.queue, number), { delayMs, onward: true, sendId });",
    seed: 5,
  },
  {
    name: "done without leaving its lane",
    file: orderKeeper,
    find: 'if (verdict.kind === "done") return this.#leave(ordered);',
    replace: 'if (verdict.kind === "done") return done;',
    seed: 1,
  },
  {
    name: "any number may run",
    file: memoryBlockedKeys,
    find: "if (isFirst) return",
    replace: "if (known !== undefined) return",
    seed: 1,
  },
  {
    name: "number not found again after a crash",
    file: memoryBlockedKeys,
    find: "row.number === number || (isNew && row.mark === mark)",
    replace: "row.number === number",
    seed: 78,
  },
  {
    name: "number that was never sent on kept for ever",
    file: memoryBlockedKeys,
    find: "for (const row of this.#rows(lane).filter(({ mark }) => mark !== null)) this.#remove(lane, row);",
    replace: "",
    seed: 15,
  },
  {
    name: "turn of a lane without fence",
    file: memoryBlockedKeys,
    find: 'if (row.turn !== turn) return "lost";',
    replace: "",
    seed: 327,
  },
  {
    name: "late release taken for a new one",
    file: memoryBlockedKeys,
    find: 'if (row?.state === "parked" && row.turn === turn) row.state = "released";',
    replace: 'if (row?.state === "parked") row.state = "released";',
    seed: 25,
  },
  {
    name: "key opened with numbers left",
    file: memoryBlockedKeys,
    find: "if (row !== undefined) this.#remove(lane, row);\n    const next",
    replace: "this.#lanes.delete(idOf(lane));\n    const next",
    seed: 1,
  },
];

/** What keeps messages from being lost, doubled or tried for ever: the fifteen ways in which others got it wrong. */
export const mutantsOfDelivery: readonly Mutant[] = [
  {
    name: "acknowledge first",
    file: settle,
    find: "  await settlement.link.send(to, message, 0);\n  await acknowledge(settlement, [delivery]);",
    replace: "  await acknowledge(settlement, [delivery]);\n  await settlement.link.send(to, message, 0);",
    seed: 4,
  },
  {
    name: "dead-letter not awaited",
    file: settle,
    find: "await settlement.link.send(to, message, 0);",
    replace: "settlement.link.send(to, message, 0).catch(() => {});",
    seed: 1,
  },
  {
    name: "lost reply taken for success",
    file: settle,
    find: "putBack(settlement, delivery, unchanged)",
    replace: "acknowledge(settlement, [delivery])",
    seed: 1,
  },
  {
    name: "lost reply repeated under a new identity",
    file: verdicts,
    find: 'return { kind: "retry", delayMs, message: { ...message, headers } };',
    replace:
      'const key = { name: "dlo-key", value: { type: "text", value: this.#parts.settings.host.newId() } };\n' +
      '    return { kind: "retry", delayMs, message: { ...message, headers: [...headers, key] } };',
    seed: 1,
  },
  {
    name: "lease compare-and-set gone",
    file: memoryQueue,
    find: "entry.fence === fence && ",
    replace: "",
    seed: 2,
  },
  {
    name: "attempt counted after the handler",
    file: attemptRunner,
    find: "if (suspect && !attempt.charged) await this.#charge(attempt);",
    replace:
      "const { run } = attempt;\n" +
      "    if (suspect && !attempt.charged) {\n" +
      "      attempt.run = (handler) => run.call(attempt, handler).then(() => this.#charge(attempt));\n" +
      "    }",
    seed: 15,
  },
  {
    name: "counted in memory",
    file: deliveryHandler,
    find: "const past = readAttemptLog(delivery.message.headers, this.#parts.queue);",
    replace:
      "const counts = (this.counts ??= new Map());\n" +
      "    const attempts = counts.get(delivery.position) ?? 0;\n" +
      "    counts.set(delivery.position, attempts + 1);\n" +
      "    const past = { ...readAttemptLog(delivery.message.headers, this.#parts.queue), attempt: attempts };",
    seed: 1,
  },
  {
    name: "inbox marked before success",
    file: memoryInbox,
    find: 'state: "working" };',
    replace: 'state: "done" };',
    seed: 1,
  },
  {
    name: "inbox without fence",
    file: memoryInbox,
    find: "if (this.#isOwn(row)) return;",
    replace: "return;",
    seed: 2,
  },
  {
    name: "inbox window too short",
    file: attemptRunner,
    find: "windowMs: inbox.windowMs",
    replace: "windowMs: settings.leaseMs",
    seed: 1,
  },
  {
    name: "half-open probe without lease",
    file: "src/policies/circuit-breaker.ts",
    find: "until: now + this.#options.probeLeaseMs",
    replace: "until: now + 1e12",
    seed: 13,
  },
  {
    name: "retry outside the budget",
    file: verdicts,
    find: "spendRetry: () => budget?.spend(now) ?? true",
    replace: "spendRetry: () => true",
    seed: 2,
  },
  {
    name: "stale acknowledge accepted",
    file: memoryQueue,
    find: "remove(receipt: MemoryReceipt): boolean {\n    const entry = this.#owned(receipt);",
    replace: "remove(receipt: MemoryReceipt): boolean {\n    const entry = this.#entries.get(receipt.seq);",
    seed: 2,
  },
  {
    name: "close drops what is in flight",
    file: "src/transports/pull-consumer.ts",
    find: "if (this.#stopping && this.#running === 0) this.#endSoon();",
    replace: "if (this.#stopping) this.#end();",
    seed: 1,
  },
  {
    name: "no delay after a failed dead-letter write",
    file: settle,
    find: "{ message: delivery.current, delayMs: returnDelayMs }",
    replace: "{ message: delivery.current, delayMs: 0 }",
    seed: 4,
  },
];

export const mutants: readonly Mutant[] = [...mutantsOfOrder, ...mutantsOfDelivery];

/** The mutant's file as it would be. Throws if the code has moved on and the table has not. */
export function breakSource({ name, file, find, replace }: Mutant): { readonly url: string; readonly source: string } {
  const url = new URL(`../../${file}`, import.meta.url);
  const [before, after, ...more] = readFileSync(url, "utf8").split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(
      `The mutant "${name}" is stale: its text occurs ${more.length + (after === undefined ? 0 : 1)} times in ${file}.`,
    );
  }
  return { url: url.href, source: `${before}${replace}${after}` };
}
