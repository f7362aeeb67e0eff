import { OfficeError } from "../../domain/errors.ts";
import { wholeDigits } from "../../domain/ids.ts";
import type { Ask } from "../../http/client.ts";

/** Inputs of operations that name something by its id, or have such names in a text. */
const named: ReadonlySet<string> = new Set(["id", "letters", "group", "into", "place"]);
const kinds = "ltr|grp|rpl";
const shortForm = new RegExp(`^(${kinds})_[0-9A-Za-z]{1,${wholeDigits - 1}}$`);
/** In a search, where a field takes ids: in any other place it is a word like others. */
const shortInSearch = new RegExp(
  `(?<=\\b(?:id|group|run):[\\w,]*)(${kinds})_[0-9A-Za-z]{1,${wholeDigits - 1}}\\b`,
  "g",
);
const pageOfId = new RegExp(`/(?:letters|groups|replays)/(?:${kinds})_[0-9A-Za-z]+(?:/.*)?$`);
const idInPath = new RegExp(`/((?:${kinds})_[0-9A-Za-z]+)(?:/|$)`);

/**
 * Asks with whole ids, wherever somebody gave only the beginning of one, or the address of its page: for every command at
 * once. `address` is where the office is, null without a server.
 */
export function askingWithWholeIds(ask: Ask, address: string | null): Ask {
  const whole = (given: string) => wholeId(ask, given, address);
  return async (name, input, options) => {
    if (name === "ids.get") return ask(name, input, options);
    const entries = await Promise.all(
      Object.entries(input).map(async ([key, value]) => [key, await completed(key, value, whole)] as const),
    );
    // Each value is of the type it had: texts stay texts.
    return ask(name, Object.fromEntries(entries) as typeof input, options);
  };
}

type Whole = (given: string) => Promise<string>;

async function completed(key: string, value: unknown, whole: Whole): Promise<unknown> {
  if (key === "q" && typeof value === "string") return completedSearch(value, whole);
  if (!named.has(key)) return value;
  if (Array.isArray(value)) return Promise.all(value.map((each) => completed(key, each, whole)));
  return typeof value === "string" ? whole(value) : value;
}

async function completedSearch(text: string, whole: Whole): Promise<string> {
  const parts: string[] = [];
  let end = 0;
  for (const { 0: short, index } of text.matchAll(shortInSearch)) {
    parts.push(text.slice(end, index), await whole(short));
    end = index + short.length;
  }
  return [...parts, text.slice(end)].join("");
}

/** The whole id of what somebody gave; what looks like none is left to whoever asked for it. */
export async function wholeId(ask: Ask, given: string, address: string | null): Promise<string> {
  const id = /^https?:\/\//.test(given) ? idOfPage(given, address) : given;
  return shortForm.test(id) ? (await ask("ids.get", { id })).id : id;
}

function idOfPage(page: string, address: string | null): string {
  const url = URL.canParse(page) ? new URL(page) : null;
  const id = idInPath.exec(url?.pathname ?? "")?.[1];
  if (id === undefined) throw new OfficeError("INVALID_OPTION", `\`${page}\` is no page of a letter, group or replay.`);
  if (address !== null && !page.startsWith(`${address}/`))
    throw new OfficeError("INVALID_OPTION", `\`${page}\` is a page of another office: ${address} is asked.`, {
      details: { hint: `Ask that one: --server ${officeOf(page)}` },
    });
  return id;
}

/** Where the office is that has this page, with its base path. */
function officeOf(page: string): string {
  const { origin, pathname } = new URL(page);
  return `${origin}${pathname.replace(pageOfId, "")}`;
}
