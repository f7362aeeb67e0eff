import { pause } from "../../domain/clock.ts";
import { showId } from "../../domain/ids.ts";
import { type Message, textHeader } from "../../domain/message.ts";
import type { ProbeAnswer } from "../../domain/report.ts";
import { wire } from "../../domain/wire.ts";
import { noteQuestions, type ProbeQuestion, readAnswers } from "../../ledger/probes.ts";
import type { Candidate } from "../../ledger/read-candidates.ts";
import type { OpenedLetter } from "../open-letter.ts";
import { outgoingMessage } from "./outgoing-message.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** A letter whose consumers have a probe of their own. */
export interface AskedLetter {
  readonly candidate: Candidate;
  readonly opened: OpenedLetter;
  /** Whose consumers are asked. */
  readonly queue: string;
}

/** How long an answer is waited for, in milliseconds. */
const answeredWithinMs = 15_000;
/** Questions put at once: so many that a consumer with slow checks answers all of them in that time. */
const askedAtOnce = 64;
const lookEveryMs = 100;

type Parts = Pick<ReplayParts, "ledger" | "host" | "probe" | "hear">;

/**
 * What consumers say of letters, each asked by its own probe, in order. Of those that nobody answers for in time nothing is known, and
 * neither of the rest of a queue of which a whole batch was not answered: that queue is `silent` from then on.
 */
export async function askConsumers(
  parts: Parts,
  letters: readonly AskedLetter[],
  silent: Set<string>,
): Promise<readonly ProbeAnswer[]> {
  const answers: ProbeAnswer[] = letters.map(() => "unknown");
  for (let start = 0; start < letters.length; start += askedAtOnce) {
    const batch = letters
      .slice(start, start + askedAtOnce)
      .flatMap((letter, index) => (silent.has(placeOf(letter)) ? [] : [{ letter, index: start + index }]));
    const said = await askBatch(
      parts,
      batch.map(({ letter }) => letter),
    );
    for (const place of new Set(batch.map(({ letter }) => placeOf(letter))))
      if (batch.every(({ letter }, n) => placeOf(letter) !== place || said[n] === null)) silent.add(place);
    for (const [n, { index }] of batch.entries()) answers[index] = said[n] ?? "unknown";
  }
  return answers;
}

function placeOf({ candidate, queue }: AskedLetter): string {
  return `${candidate.source}/${queue}`;
}

/** Null where nobody answered. */
async function askBatch(parts: Parts, letters: readonly AskedLetter[]): Promise<readonly (ProbeAnswer | null)[]> {
  if (letters.length === 0) return [];
  const { host } = parts;
  const until = host.clock.now() + answeredWithinMs;
  const asked = letters.map((letter) => ({ letter, question: `${host.newId()}${host.newId()}` }));
  await noteQuestions(parts.ledger, asked.map(questionOf));
  const over = new AbortController();
  const hearing = [...new Set(letters.map(({ candidate }) => candidate.source))].map((source) =>
    parts.hear(source, over.signal).catch(() => {}),
  );
  try {
    const put = await Promise.all(asked.map((each) => ask(parts, each, until)));
    const answers = await answersTo(parts, put.flat(), until);
    return asked.map(({ question }) => answers.get(question) ?? null);
  } finally {
    over.abort();
    await Promise.all(hearing);
  }
}

interface Asked {
  readonly letter: AskedLetter;
  readonly question: string;
}

function questionOf({ letter: { candidate, queue }, question }: Asked): ProbeQuestion {
  return { question, source: candidate.source, queue };
}

/** The question, or none where it cannot be put to anybody: then nobody answers. */
async function ask(
  parts: Parts,
  { letter: { candidate, opened, queue }, question }: Asked,
  until: number,
): Promise<readonly string[]> {
  const message = questioned(candidate, opened, queue);
  const headers = [
    ...message.headers.filter(({ name }) => name !== wire.replay),
    textHeader(wire.probe, question),
    textHeader(wire.probeUntil, new Date(until).toISOString()),
  ];
  const putting = parts.probe(candidate.source, queue, { ...message, headers });
  return putting.then(() => [question]).catch(() => []);
}

/** As its handler got it: the original, whatever it is to be sent as instead. */
function questioned(candidate: Candidate, { reading, payload }: OpenedLetter, queue: string): Message {
  const letter = showId("letter", candidate.id);
  const place = candidate.queue === queue ? candidate.place : null;
  const original = { editedBody: payload, editedHeaders: null, place };
  return outgoingMessage({ letter, replay: "", message: candidate.message, reading, ...original, queue });
}

async function answersTo(
  { ledger, host }: Parts,
  questions: readonly string[],
  until: number,
): Promise<ReadonlyMap<string, ProbeAnswer>> {
  for (;;) {
    const answers = await readAnswers(ledger, questions);
    if (answers.size === questions.length || host.clock.now() >= until) return answers;
    await pause(host.clock, lookEveryMs);
  }
}
