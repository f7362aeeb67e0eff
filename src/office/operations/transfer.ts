import { z } from "zod";
import { recordAction } from "../../ledger/audit.ts";
import { readLetter } from "../../ledger/search/read-letter.ts";
import { searchedUnjudged } from "../replay/searched-now.ts";
import { exportPage } from "../transfer/export-letters.ts";
import { importLetters } from "../transfer/import-letters.ts";
import { wholeLetter } from "./letter-shapes.ts";
import { operation } from "./operation.ts";
import { nothingMasked, showLetter } from "./show-letter.ts";
import { searchWarning, warningsOf } from "./unknown-names.ts";
import { wholeNumber } from "./whole-number.ts";

const importedAtOnce = 500;
const megabyte = 1_048_576;

export const importSome = operation({
  name: "letters.import",
  summary: "takes letters of a file into the ledger, a part of the file at a time",
  role: "operator",
  takesBytes: 32 * megabyte,
  input: z.object({
    /** The connection they are said to come by, where they do not say. */
    source: z.string().trim().min(1).max(256),
    documents: z
      .array(
        z.object({
          /** JSON: a line of an export, or a letter as `dlo dialect read` writes it. */
          text: z.string(),
          line: wholeNumber(1),
          /** The how-manieth of its text in that file, from 1: equal lines are different letters. */
          ordinal: wholeNumber(1),
        }),
      )
      .max(importedAtOnce),
  }),
  output: z.object({
    held: z.number(),
    known: z.number(),
    problems: z.array(z.object({ line: z.number(), message: z.string() })),
  }),
  async run(office, input, actor) {
    const { problems, ...counts } = await importLetters(office, actor, input);
    return { ...counts, problems: [...problems] };
  },
});

export const exportSome = operation({
  name: "letters.export",
  summary: "letters as lines of JSON, a page at a time; unmasked with the right and a reason",
  role: "viewer",
  isScoped: true,
  isSecret: true,
  reveals: ({ unmaskedBecause }) => unmaskedBecause !== null,
  input: z.object({
    q: z.string().default(""),
    after: z.string().nullable().default(null),
    /** Why they are wanted as they are: goes to the audit log, with their ids. Null exports them masked. */
    unmaskedBecause: z.string().trim().min(3).max(500).nullable().default(null),
  }),
  output: z.object({
    ...{ by: z.string(), at: z.string(), lines: z.array(z.string()), next: z.string().nullable() },
    /** With the first page. */
    warnings: z.array(searchWarning),
  }),
  async run(office, input, actor) {
    const { lines, next } = await exportPage(office, actor, input);
    const search = { q: input.q, ...searchedUnjudged(office, actor) };
    const warnings = input.after === null ? await warningsOf(office.ledger, search) : [];
    return { warnings, by: actor.id, at: new Date(office.clock.now()).toISOString(), lines: [...lines], next };
  },
});

export const revealLetter = operation({
  name: "letters.reveal",
  summary: "one letter as it is, with what is masked elsewhere; the reason goes to the audit log",
  role: "viewer",
  isScoped: true,
  inPerson: true,
  isSecret: true,
  reveals: () => true,
  input: z.object({ id: z.string(), reason: z.string().trim().min(3).max(500) }),
  output: wholeLetter,
  async run({ ledger, bodies, clock }, { id, reason }, actor) {
    const letter = await readLetter(ledger, id);
    // Before it is shown: what cannot be written down must not be seen.
    const details = { letter: id, source: letter.summary.source, queue: letter.summary.queue, reason };
    await recordAction(ledger, ledger.database, { at: clock.now(), actor, action: "letters.revealed", details });
    return showLetter(letter, { ledger, bodies, masking: nothingMasked });
  },
});

/** An answer must come within the time a server gives it: whoever wants all asks again. */
const drainedForMs = 10_000;

export const drainSome = operation({
  name: "queues.drain",
  summary: "takes letters of a dead-letter queue into the ledger, for ten seconds at most; ask again until all is in",
  role: "operator",
  input: z.object({
    source: z.string(),
    queue: z.string(),
    batch: z.int().min(1).max(10_000).default(500),
    /** Ends when nothing came for so long. */
    idleMs: z.int().min(100).max(drainedForMs).default(2_000),
  }),
  output: z.object({
    held: z.number(),
    known: z.number(),
    returned: z.number(),
    /** Nothing more came. */
    isCaughtUp: z.boolean(),
  }),
  async run({ drain, clock }, { source, queue, batch, idleMs }, actor) {
    const over = new AbortController();
    const cancel = clock.after(drainedForMs, () => over.abort());
    try {
      const { signal } = over;
      const { held, known, returned } = await drain({ source, queue, actor, signal, tuning: { batch, idleMs } });
      return { held, known, returned, isCaughtUp: !signal.aborted };
    } finally {
      cancel();
    }
  },
});
