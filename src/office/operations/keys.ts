import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { hexOf, readId, showId } from "../../domain/ids.ts";
import { letterStates } from "../../domain/letter.ts";
import { maskText } from "../../domain/redaction.ts";
import { textOf } from "../../domain/text-of.ts";
import { placesOfDeadLetters } from "../../ledger/find-sequence-places.ts";
import { listKeys as listBlockedKeys } from "../keys/list-keys.ts";
import { type KeysLook, lookAtPlaces, type ShownPlace } from "../keys/look-at-keys.ts";
import { type NamedPlace, releasePlaces, requirePlaces } from "../keys/release-places.ts";
import { operation } from "./operation.ts";

const name = z.string().min(1).max(256);

/** The id of the letter that has the place, or source/queue/number; the queue as its consumer names it. */
const placeText = z.string().min(1).max(1_000);

const place = z.object({
  /** How commands name it: source/queue/number. */
  place: z.string(),
  source: z.string(),
  queue: z.string(),
  number: z.number(),
  /** With what must not be shown taken out. */
  key: z.string(),
  /** What its message is at; null where its store was not asked, or has no such place. */
  state: z.enum(["waiting", "parked", "released", "dead"]).nullable(),
  since: z.string().nullable(),
  /** How many messages of the key wait behind it; null where nobody knows. */
  behind: z.number().nullable(),
  letter: z.object({ id: z.string(), state: z.enum(letterStates) }).nullable(),
  /** What was noted of its release. */
  release: z
    .object({
      because: z.enum(["dropped", "compensated", "expired", "person"]),
      state: z.enum(["pending", "released", "gone", "sent", "alive", "elsewhere"]),
      notedAt: z.string(),
      endedAt: z.string().nullable(),
      /** Why the last try failed. */
      trouble: z.string().nullable(),
    })
    .nullable(),
});

const look = {
  items: z.array(place),
  /** Sources whose keys were not asked for, with the reason. */
  unchecked: z.array(z.object({ source: z.string(), why: z.string() })),
};

export const listKeys = operation({
  name: "keys.list",
  summary: "list blocked keys and how many messages each holds up, a page at a time",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({
    source: name.nullable().default(null),
    queue: name.nullable().default(null),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
    after: z.string().nullable().default(null),
  }),
  output: z.object({
    ...look,
    next: z.string().nullable(),
  }),
  async run(office, { limit, ...asked }) {
    const { next, ...found } = await listBlockedKeys(office, { ...asked, atMost: limit });
    return { ...shown(found), next };
  },
});

export const getKey = operation({
  name: "keys.get",
  summary: "show the place of a letter in the sequence of its key",
  role: "viewer",
  isScoped: true,
  input: z.object({ place: placeText }),
  output: z.object(look),
  run: async (office, input) => shown(await lookAtPlaces(office, await requirePlaces(office, readPlace(input.place)))),
});

/** Letters of a group that are looked at; where more of them block their keys, the number is a least one. */
const countedAtMost = 1_000;

export const countBehind = operation({
  name: "keys.behind",
  summary: "how many messages wait behind the open letters of a group",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({ id: z.string() }),
  output: z.object({
    /** Keys that its letters block. */
    keys: z.number(),
    behind: z.number(),
    /** More letters of the group may block keys: only the oldest were looked at. */
    isAtLeast: z.boolean(),
    unchecked: look.unchecked,
  }),
  async run(office, { id }) {
    const search = { sources: null, queue: null, group: readId("group", id), atMost: countedAtMost };
    const { places, last } = await placesOfDeadLetters(office.ledger, search);
    const { items, unchecked } = await lookAtPlaces(office, places);
    const dead = items.filter(({ state }) => state === "dead");
    return {
      keys: new Set(dead.map(({ source, queue, key }) => JSON.stringify([source, queue, hexOf(key)]))).size,
      behind: dead.reduce((sum, { behind }) => sum + (behind ?? 0), 0),
      isAtLeast: last !== null,
      unchecked: [...unchecked],
    };
  },
});

export const releaseKey = operation({
  name: "keys.release",
  summary: "lets the key of a dead letter go on without it; the letter stays as it is",
  role: "operator",
  isScoped: true,
  input: z.object({
    place: placeText,
    reason: z.string().trim().min(1).max(500),
    /** It was released in the consumer's own process, and nothing is to be done any more. */
    elsewhere: z.boolean().default(false),
  }),
  output: z.object(look),
  run: async (office, { place: named, reason, elsewhere }, actor) =>
    shown(await releasePlaces(office, actor, { place: readPlace(named), reason, elsewhere })),
});

/** A letter, or a place: the first part is its source, the last its number, and the name of a queue may have slashes. */
function readPlace(text: string): NamedPlace {
  const parts = text.split("/");
  if (parts.length === 1) return { letter: text };
  const [source = "", queue, number] = [parts[0], parts.slice(1, -1).join("/"), Number(parts.at(-1))];
  if (source !== "" && queue !== "" && Number.isSafeInteger(number) && number > 0) return { source, queue, number };
  throw new OfficeError(
    "INVALID_OPTION",
    `\`${text}\` is neither a letter nor a place such as rabbit-eu/accounts/42. \`dlo keys list\` has the places.`,
  );
}

function shown({ items, unchecked }: KeysLook): z.input<z.ZodObject<typeof look>> {
  return { items: items.map(shownPlace), unchecked: unchecked.map((each) => ({ ...each, why: readable(each.why) })) };
}

function shownPlace({ source, queue, number, key, state, since, behind, letter, release }: ShownPlace) {
  const at = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    ...{
      place: `${source}/${queue}/${number}`,
      source,
      queue,
      number,
      key: shownKey(key),
      state,
      since: at(since),
      behind,
    },
    letter: letter === null ? null : { id: showId("letter", letter.id), state: letter.state },
    release:
      release === null
        ? null
        : {
            ...{ because: release.because, state: release.state, notedAt: new Date(release.notedAt).toISOString() },
            ...{ endedAt: at(release.endedAt), trouble: release.trouble === null ? null : readable(release.trouble) },
          },
  };
}

const longestKey = 200;
const shownBytes = 16;

/** As letters show it: text with what must not be shown taken out, or the first of its bytes. */
function shownKey(key: Uint8Array): string {
  const text = textOf(key);
  if (text !== null) return maskText(text).slice(0, longestKey);
  const more = key.byteLength > shownBytes ? "…" : "";
  return `0x${hexOf(key.subarray(0, shownBytes))}${more}`;
}

const longestText = 500;

/** What a store or a broker says may hold the address it could not reach. */
function readable(text: string): string {
  return maskText(text).slice(0, longestText);
}
