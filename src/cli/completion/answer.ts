import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseArgs } from "node:util";
import { type Clock, within } from "../../domain/clock.ts";
import { completionsOf, type KnownValue, lastWordOf } from "../../domain/query/complete-search.ts";
import type { ReplayStates } from "../command.ts";
import { credentialsFile } from "../connection/credentials.ts";
import { contextsFile } from "../connection/user-files.ts";
import { type OfficeValues, whichOffice } from "../connection/which-office.ts";
import { exit } from "../exit-codes.ts";
import type { Environment, Output } from "../terminal/terminal.ts";
import { visible } from "../terminal/text.ts";
import { remembered } from "./remembered.ts";
import { findThings, isOfficeThing, type OfficeThing, thingsOfFields } from "./things.ts";

/** The word that shells call `dlo` by while somebody types: `dlo __complete REPLAY:paused replay resume =rpl_`. */
export const completing = "__complete";

/** What an office may take: whoever waits for longer has typed on. */
const budgetMs = 300;

interface Around {
  readonly stdout: Output;
  readonly env: Environment;
  readonly clock: Clock;
}

/** What is meant, and the line as far as it is written. */
interface Line {
  readonly wanted: string;
  readonly words: readonly string[];
  /** The word to complete. It comes with a `=` before it: some shells lose a word that is empty. */
  readonly typed: string;
}

/**
 * Says what a word may become, each with a tab and what it is. It is silent about everything that goes wrong: somebody is
 * writing a line, and asked for nothing else. It does not know the table of commands, which takes longer to load than this may take.
 */
export async function answer([wanted = "", ...words]: readonly string[], around: Around): Promise<number> {
  const line = { wanted, words: words.slice(0, -1), typed: words.at(-1)?.slice(1) ?? "" };
  const found = await completed(line, around).catch(() => []);
  const told = found.map(({ value, about }) => `${value}\t${visible(about.replaceAll(/\s+/g, " "))}\n`);
  if (told.length > 0) around.stdout.write(told.join(""));
  return exit.done;
}

async function completed(line: Line, around: Around): Promise<readonly KnownValue[]> {
  const { wanted, typed } = line;
  const [thing = "", states = ""] = wanted.split(":");
  const find = (name: OfficeThing, of = "") => atOffice(name, of, line, around);
  if (thing === "QUERY") return search(typed, find);
  const values =
    thing === "CONTEXT" ? await contexts(around.env) : isOfficeThing(thing) ? await find(thing, states) : [];
  // `LETTER,LETTER`: the last of several.
  const others = typed.slice(0, typed.lastIndexOf(",") + 1);
  return values
    .map(({ value, about }) => ({ value: `${others}${value}`, about }))
    .filter(({ value }) => value.startsWith(typed));
}

async function contexts(env: Environment): Promise<readonly KnownValue[]> {
  const { readContexts } = await import("../../config/contexts.ts");
  return (await readContexts(contextsFile(env))).contexts.map(({ name, server }) => ({ value: name, about: server }));
}

type Find = (thing: OfficeThing) => Promise<readonly KnownValue[]>;

async function search(typed: string, find: Find): Promise<readonly KnownValue[]> {
  const [only, ...others] = await goesOn(typed, find);
  // Where only one field is left, a shell would take the word for finished: its values show that it is not.
  const values = only?.value.endsWith(":") && others.length === 0 ? await goesOn(only.value, find) : [];
  return values.length > 0 ? values : [...(only === undefined ? [] : [only]), ...others];
}

async function goesOn(typed: string, find: Find): Promise<readonly KnownValue[]> {
  const { field = "", value = null } = lastWordOf(typed) ?? {};
  const thing = value === null ? undefined : thingsOfFields[field.toLowerCase() as keyof typeof thingsOfFields];
  const known = thing === undefined ? [] : await find(thing).catch(() => []);
  return completionsOf(typed, { known, fromNothing: true }).map(({ text, about }) => ({ value: text, about }));
}

/** Only of an office that runs: to open a ledger takes longer than this may. */
async function atOffice(
  thing: OfficeThing,
  states: string,
  { words }: Line,
  around: Around,
): Promise<readonly KnownValue[]> {
  const values = officeIn(words);
  const asked = [states, values, await whatDecides(around.env)];
  return remembered({ kind: thing, asked }, around, async () => {
    const where = await whichOffice(values, around);
    if (where.kind !== "server") throw new Error("No office runs.");
    const { remoteOffice } = await import("../connection/remote-office.ts");
    return inTime(around.clock, async (signal) => {
      const ask = await remoteOffice(where.url.value, { env: around.env, signal });
      return findThings(thing, states === "" ? [] : (states.split(",") as ReplayStates), ask);
    });
  });
}

function inTime<Answer>(clock: Clock, ask: (signal: AbortSignal) => Promise<Answer>): Promise<Answer> {
  const late = new AbortController();
  return within(clock, budgetMs, ask(late.signal), () => {
    late.abort();
    throw new Error("The office took too long.");
  });
}

/** All that says which office is asked, and as whom, where the line does not: without reading what takes long to read. */
async function whatDecides(env: Environment): Promise<readonly unknown[]> {
  const files = [contextsFile(env), credentialsFile(env)];
  const texts = await Promise.all(files.map((file) => readFile(file, "utf8").catch(() => null)));
  const { DLO_SERVER, DLO_CONTEXT, DLO_CONFIG, DLO_DATA, DATABASE_URL } = env;
  return [texts, resolve("."), DLO_SERVER, DLO_CONTEXT, DLO_CONFIG, DLO_DATA, DATABASE_URL];
}

/** Which office the line names so far; every other option is somebody else's. */
function officeIn(words: readonly string[]): OfficeValues {
  const text = { type: "string", default: "" } as const;
  const options = { server: text, context: { ...text, short: "c" }, database: text, config: text };
  const { values } = parseArgs({ args: [...words], options, strict: false, allowPositionals: true });
  const said = (name: keyof OfficeValues) => (typeof values[name] === "string" ? values[name] : "");
  return { server: said("server"), context: said("context"), database: said("database"), config: said("config") };
}
