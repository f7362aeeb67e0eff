import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Actor, scopeOf } from "../domain/actor.ts";
import { type Clock, pause } from "../domain/clock.ts";
import { isOfficeError, OfficeError } from "../domain/errors.ts";
import { publicCodes } from "../domain/public-codes.ts";
import { mayPerform } from "../office/operations/operation.ts";
import type { Reception } from "../office/people/reception.ts";
import type { ChangeFeed, Position, Told } from "../office/stream/change-feed.ts";
import { type Credentials, credentialsOf, requireActor } from "./authenticate.ts";
import type { PublicAddress } from "./public-address.ts";
import { apiPrefix } from "./routes.ts";

export interface StreamParts {
  readonly feed: ChangeFeed;
  readonly reception: Reception;
  readonly address: PublicAddress;
  readonly cookieName: string;
  readonly clock: Clock;
}

export interface StreamLimits {
  /** Streams open at once. @default 200 */
  readonly atOnce?: number;
  /** Of these, streams of one person: nobody takes the places of all others. @default 40 */
  readonly perPerson?: number;
  /** How often a comment shows that the line is not dead, in milliseconds. @default 15_000 */
  readonly beatMs?: number;
  /** How often it is looked whether the listener may still listen, in milliseconds. @default 10_000 */
  readonly checkMs?: number;
  /** How long a listener that is to go has for hearing so, in milliseconds. @default 1_000 */
  readonly graceMs?: number;
}

export const streamLimitDefaults: Required<StreamLimits> = {
  atOnce: 200,
  perPerson: 40,
  beatMs: 15_000,
  checkMs: 10_000,
  graceMs: 1_000,
};

/** What an actor must be to listen: as for the operations it only tells to look at again. */
const listening = { name: "stream", role: "viewer", isScoped: true } as const;

/** The live stream. It ends with the server, and with the session that opened it. */
export function addStream(app: FastifyInstance, parts: StreamParts, limits: Required<StreamLimits>): void {
  const ending = new AbortController();
  let open = 0;
  const places = placesOf(limits.perPerson);
  app.addHook("preClose", async () => ending.abort(publicCodes.SERVER_UNAVAILABLE));
  app.get(`${parts.address.basePath}${apiPrefix}/stream`, async (request, reply) => {
    if (open >= limits.atOnce) throw tooMany();
    // Before anything is waited for: of somebody who leaves meanwhile nothing more would be heard, and their place never be free.
    open += 1;
    const leaving = leavingOf(request, reply);
    leaving.signal.addEventListener("abort", () => {
      open -= 1;
    });
    const begin = async () => {
      const credentials = credentialsOf(request.headers, parts.cookieName);
      const actor = await requireListener(credentials, parts.reception, true);
      places.take(actor.id, leaving.signal);
      parts.feed.follow(leaving.signal);
      const start = await whereFrom(request, parts.feed);
      const gone = leaving.signal;
      const watch = watchOver({ credentials, actor, gone, ending: ending.signal }, parts, limits, () =>
        request.raw.socket.destroy(),
      );
      return tell({ ...start, gone, ...watch }, parts, limits);
    };
    const told = await begin().catch((error: unknown) => {
      leaving.abort();
      throw error;
    });
    return answer(reply, told);
  });
}

/** Counts the streams of each person, and refuses one too many. */
function placesOf(perPerson: number) {
  const taken = new Map<string, number>();
  const count = (person: string, by: number) => {
    const n = (taken.get(person) ?? 0) + by;
    if (n === 0) taken.delete(person);
    else taken.set(person, n);
  };
  return {
    /** Until they leave. */
    take(person: string, gone: AbortSignal): void {
      if (gone.aborted) return;
      if ((taken.get(person) ?? 0) >= perPerson) throw tooMany();
      count(person, 1);
      gone.addEventListener("abort", () => count(person, -1));
    },
  };
}

/** Aborts when the connection closes, or has closed by now. */
function leavingOf({ raw: { socket } }: FastifyRequest, { raw }: FastifyReply): AbortController {
  const leaving = new AbortController();
  const leave = () => leaving.abort();
  leaving.signal.addEventListener("abort", () => socket.off("close", leave));
  raw.once("close", leave);
  // An answer that waits behind another one on the same connection does not hear of its end.
  socket.once("close", leave);
  if (socket.destroyed) leave();
  return leaving;
}

function answer(reply: FastifyReply, told: AsyncGenerator<string>): FastifyReply {
  return (
    reply
      .header("content-type", "text/event-stream; charset=utf-8")
      // A proxy that collected it would make it anything but live.
      .header("x-accel-buffering", "no")
      // A connection kept for later would keep a server from ending that has just said bye on it.
      .header("connection", "close")
      // Asked for more only when the last was taken: a listener that does not read holds nothing but its place.
      .send(Readable.from(told, { highWaterMark: 1 }))
  );
}

interface Start {
  readonly from: Position;
  /** Empty for all. */
  readonly topics: readonly string[];
}

async function whereFrom({ headers, query }: FastifyRequest, feed: ChangeFeed): Promise<Start> {
  const { after, topics = "" } = query as { readonly after?: string; readonly topics?: string };
  const now = await feed.now();
  const last = headers["last-event-id"] ?? after;
  if (last !== undefined && !/^\d{1,15}$/.test(String(last)))
    throw new OfficeError("INVALID_REQUEST", "`after` must be the id of an event of this stream.");
  const wanted = topics.split(",").filter((topic) => topic !== "");
  return { from: last === undefined ? now : { ...now, n: Number(last) }, topics: wanted };
}

interface Present {
  readonly credentials: Credentials;
  /** As they were when they came. */
  readonly actor: Actor;
  readonly gone: AbortSignal;
  readonly ending: AbortSignal;
}

interface Watch {
  /** Aborts when the listener may not listen any more, or the server ends; its reason is the code to say bye with. */
  readonly over: AbortSignal;
  /** By the last look at who they are. */
  seesAll(): boolean;
}

/**
 * Looks again and again whether the listener may still listen. It does so beside the telling, which stands still while nothing is
 * read, and cuts off who has not gone some time after it was over: to hear bye takes somebody who reads.
 */
function watchOver(
  { credentials, actor, gone, ending }: Present,
  { reception, clock }: StreamParts,
  { checkMs, graceMs }: Required<StreamLimits>,
  cut: () => void,
): Watch {
  const refused = new AbortController();
  const over = AbortSignal.any([refused.signal, ending]);
  let seesAll = seesEverything(actor);
  const watching = async () => {
    const either = AbortSignal.any([gone, over]);
    while (!either.aborted) {
      await pause(clock, checkMs, either);
      if (either.aborted) break;
      const welcome = await lookAgain(credentials, reception);
      if ("code" in welcome) refused.abort(welcome.code);
      else seesAll = seesEverything(welcome.actor);
    }
    await pause(clock, graceMs, gone);
    if (!gone.aborted) cut();
  };
  void watching();
  return { over, seesAll: () => seesAll };
}

interface Listener extends Start, Watch {
  readonly gone: AbortSignal;
}

async function* tell(
  { from, topics, gone, over, seesAll }: Listener,
  { feed, clock }: StreamParts,
  { beatMs }: Required<StreamLimits>,
): AsyncGenerator<string> {
  const either = AbortSignal.any([gone, over]);
  let position = from;
  let nextBeat = clock.now() + beatMs;
  yield `id: ${position.n}\n\n`;
  while (!either.aborted) {
    const news = await feed.after(position, { waitMs: Math.max(0, nextBeat - clock.now()), signal: either });
    if (either.aborted) break;
    position = news.position;
    const wanted = { topics, seesAll: seesAll() };
    const text = news.kind === "reset" ? eventText("reset", {}, position.n) : textOf(news.changes, wanted);
    if (text !== "") yield text;
    else if (clock.now() >= nextBeat) yield ":\n\n";
    if (text !== "" || clock.now() >= nextBeat) nextBeat = clock.now() + beatMs;
  }
  if (!gone.aborted) yield eventText("bye", { code: over.reason as string }, null);
}

interface Wanted {
  readonly topics: readonly string[];
  readonly seesAll: boolean;
}

function textOf(changes: readonly Told[], { topics, seesAll }: Wanted): string {
  if (!seesAll) return blindText(changes);
  return changes
    .filter(({ topic }) => topics.length === 0 || topics.some((each) => topic === each || topic.startsWith(`${each}:`)))
    .map(({ n, ...change }) => eventText("change", change, n))
    .join("");
}

/**
 * For somebody who may see some queues only: that something changed, and not what. The log does not say of every entry which
 * queue it is about, and what they look at again shows them no more than they may see.
 */
function blindText(changes: readonly Told[]): string {
  const last = changes.findLast(({ n }) => n !== null) ?? changes.at(-1);
  if (last === undefined) return "";
  return eventText("change", { topic: "inbox", kind: "letter.changed", id: null, changed: [] }, last.n);
}

function eventText(event: string, data: object, id: number | null): string {
  return `${id === null ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Who it is by now, or why they may not listen any more. */
async function lookAgain(
  credentials: Credentials,
  reception: Reception,
): Promise<{ readonly actor: Actor } | { readonly code: string }> {
  try {
    return { actor: await requireListener(credentials, reception, false) };
  } catch (error) {
    return { code: publicCodes[isOfficeError(error) ? error.code : "SERVER_FAILED"] };
  }
}

/** A stream that stays open is no sign that somebody is there: only opening it counts as a request. */
async function requireListener(credentials: Credentials, reception: Reception, isRequest: boolean): Promise<Actor> {
  const actor = await requireActor(credentials, reception, isRequest);
  if (mayPerform(actor, listening)) return actor;
  throw new OfficeError("NOT_ALLOWED", `${actor.id} may not listen: that takes the role viewer.`);
}

function seesEverything(actor: Actor): boolean {
  return scopeOf(actor, listening.role).length === 0;
}

function tooMany(): OfficeError {
  const text = "Too many streams are open. Close a tab, or ask again later.";
  return new OfficeError("SERVER_UNAVAILABLE", text, { details: { retryAfterS: 10 } });
}
