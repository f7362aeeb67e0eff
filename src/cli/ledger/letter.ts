import { isOfficeError } from "../../domain/errors.ts";
import { pastTtl } from "../../domain/past-ttl.ts";
import type { OutputOf } from "../../http/client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import type { ShowMoment } from "../terminal/moments.ts";
import { visible, wrap } from "../terminal/text.ts";
import { showNumber, showShare } from "../terminal/units.ts";
import { type AtWork, ledgerFlags, withOffice } from "./ledger-flags.ts";

export const letterCommand = command({
  name: "letters show",
  alias: "letter",
  summary: "one letter: what failed, what it is taken for and why, whether it may go back, headers and body",
  examples: [
    { line: "dlo letters show ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H", about: "as text, masked" },
    { line: "dlo letters show ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H --json", about: "all of it, for a program; masked too" },
  ],
  operand: { placeholder: "LETTER", about: "its id, ltr_…", required: true },
  flags: ledgerFlags,

  async run({ operand, json, ...values }, context) {
    return withOffice(values, context, async (work) => {
      const id = operand ?? "";
      const letter = await work.ask("letters.get", { id });
      if (json) context.print(JSON.stringify(letter));
      else
        context.print(
          drawing(letter, [...(await outlookOf(work, letter)), ...(await behindIn(work, letter))], context),
        );
      return exit.done;
    });
  },
});

type Shown = OutputOf<"letters.get">;

/** Whether it may go back as things stand; of what was decided there is nothing to say. */
async function outlookOf({ ask }: AtWork, { id, state }: Shown): Promise<readonly string[]> {
  if (state !== "open" && state !== "returned" && state !== "in_doubt") return [];
  const judged = await ask("letters.outlook", { id }).catch(notJudged);
  if (typeof judged === "string") return [judged];
  const { outlook, reason } = judged;
  const change = reason.change === "" ? [] : [`→ ${reason.change}`];
  return [`${outlook.replace("-", " ")}: ${reason.sentence}`, ...change].map(visible);
}

/** What is known of the letter is shown whatever becomes of the question where it would go. */
function notJudged(error: unknown): string {
  if (!isOfficeError(error)) throw error;
  return visible(`not checked: ${error.message}`);
}

/** What waits behind a letter of an ordered key. Most keys order nothing: then there is no place, and nothing to say. */
async function behindIn({ ask }: AtWork, { id, orderKey }: Shown): Promise<readonly string[]> {
  if (orderKey === null) return [];
  const found = await ask("keys.get", { place: id }).catch((error: unknown) => {
    if (isOfficeError(error)) return null;
    throw error;
  });
  if (found === null) return [];
  const behind = found.items.reduce((sum, each) => sum + (each.behind ?? 0), 0);
  const waiting = behind === 1 ? "1 message waits" : `${showNumber(behind)} messages wait`;
  const silent = found.unchecked.map(({ why }) => visible(`What waits behind it was not checked: ${why}`));
  return behind === 0 ? silent : [`${waiting} behind this letter: dlo keys show ${id}`];
}

const bodyLines = 40;

function drawing(letter: Shown, outlook: readonly string[], { terminal, when, clock }: Context): string {
  const { paint, columns } = terminal;
  const heading = (text: string) => `\n${paint("bold", text)}`;
  const error = [letter.errorClass, letter.errorMessage].filter((part) => part !== null).join(": ");
  return [
    paint("bold", visible(error || "no error was given")),
    ...wrap(
      `${letter.category}, ${showShare(letter.confidence)} sure (${letter.rule}). ${visible(letter.why)}`,
      columns,
    ),
    ...(letter.was === letter.category ? [] : [`It was ${letter.was} on arrival.`]),
    ...(outlook.length === 0 ? [] : [heading("May it go back"), ...outlook.flatMap((line) => wrap(line, columns))]),
    heading("Letter"),
    ...facts(letter, when, clock.now()),
    ...(letter.stack === null ? [] : [heading("Stack"), lines(letter.stack)]),
    heading("Headers"),
    ...[...letter.properties, ...letter.headers].map(
      ([name, , value]) => `  ${visible(name)}: ${visible(value).slice(0, 500)}`,
    ),
    heading(`Body, ${showNumber(letter.body.bytes)} bytes${letter.body.masked ? ", masked" : ""}`),
    ...shownBody(letter, columns),
  ].join("\n");
}

/** Of a body too large for a screen how it begins, and how to have the rest. */
function shownBody({ id, body }: Shown, columns: number): readonly string[] {
  if (body.text !== null) return [lines(body.text)];
  if (body.notice !== null) return wrap(visible(body.notice), columns);
  if (body.kind !== "too_large") return [`  (not text: \`dlo letters body ${id} --unmasked\` writes its bytes)`];
  const all = `  (too large to be shown as a whole: \`dlo letters body ${id}\` writes it)`;
  return body.beginning === null ? [all] : [lines(body.beginning), "  …", all];
}

/** RabbitMQ's own exchange, by which a queue is sent to by its name, has no name. */
function exchangeOf({ exchange }: NonNullable<Shown["cameBy"]>): string {
  return exchange === "" ? "the default exchange" : `exchange ${exchange}`;
}

/** Of its group, where it is not its own. */
function tagInWords({ tag, of }: Shown["tags"][number]): string {
  return of === "group" ? `${tag} (its group's)` : tag;
}

/** Where it was in its queue, in numbers where the place has some. */
function placeOf({ cameFrom: { partition, offset, position } }: Shown): string | null {
  if (offset === null) return position;
  return partition === null ? `offset ${offset}` : `partition ${partition}, offset ${offset}`;
}

function withVersion(name: string | null, version: string | null): string | null {
  return name === null || version === null ? name : `${name}@${version}`;
}

function facts(letter: Shown, when: ShowMoment, now: number): string[] {
  const known: readonly (readonly [string, string | number | null])[] = [
    ["id", letter.id],
    ["state", letter.state],
    ["group", letter.group],
    ["queue", `${letter.source}/${letter.queue}`],
    ["came by", letter.cameBy === null ? null : `${exchangeOf(letter.cameBy)}, key ${letter.cameBy.routingKey}`],
    ["came from", placeOf(letter)],
    ["drained from", letter.drainedFrom],
    ["attempts", letter.attempts],
    ["failed", `${when(letter.failedAt, "utc")}${letter.failedAtBy === "arrival" ? " at the latest" : ""}`],
    ["arrived", when(letter.arrivedAt, "utc")],
    ["tags", letter.tags.map(tagInWords).join(", ") || null],
    ["time to live", timeToLive(letter, when, now)],
    ["consumer", withVersion(letter.consumer, letter.consumerVersion)],
    ["handler", letter.handler],
    ["host", letter.host],
    ["process", letter.process],
    ["schema", withVersion(letter.schema.name, letter.schema.version)],
    ["keys", letter.keys.join(", ") || null],
    ["trace", letter.trace],
    ["probably the same as", letter.repeatOf],
    ["repeated", repeatsIn(letter, when)],
    [
      "cut",
      letter.cut === null
        ? null
        : Object.entries(letter.cut)
            .map(([what, bytes]) => `${what} of ${bytes} bytes`)
            .join(", "),
    ],
  ];
  return known.filter(([, value]) => value !== null).map(([name, value]) => `  ${name}: ${visible(String(value))}`);
}

/** Until when it is worth anything, and since when it is not. */
function timeToLive({ expiresAt }: Shown, when: ShowMoment, now: number): string | null {
  if (expiresAt === null) return null;
  const past = pastTtl(expiresAt, now);
  return past === null ? `until ${when(expiresAt, "utc")}` : `${past} (${when(expiresAt, "utc")})`;
}

/** Second copies of its failure that are kept as this letter. */
function repeatsIn({ repeats }: Shown, when: ShowMoment): string | null {
  if (repeats.length === 0) return null;
  const each = repeats.map(({ at, drainedFrom }) => `from ${drainedFrom} at ${when(at, "utc")}`);
  return `the same failure came again ${each.join(", ")}; it is kept once`;
}

function lines(text: string): string {
  const all = text.split("\n");
  const cut = all.slice(0, bodyLines).map((line) => `  ${visible(line).slice(0, 2_000)}`);
  return [...cut, ...(all.length > bodyLines ? [`  … ${all.length - bodyLines} more lines`] : [])].join("\n");
}
