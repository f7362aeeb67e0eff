import { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type Actor, scopeOf } from "../domain/actor.ts";
import type { Clock } from "../domain/clock.ts";
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
  /** How often a comment shows that the line is not dead, in milliseconds. @default 15_000 */
  readonly beatMs?: number;
  /** How often it is looked whether the listener may still listen, in milliseconds. @default 10_000 */
  readonly checkMs?: number;
}

export const streamLimitDefaults: Required<StreamLimits> = { atOnce: 200, beatMs: 15_000, checkMs: 10_000 };

/** What an actor must be to listen: as for the operations it only tells to look at again. */
const listening = { name: "stream", role: "viewer", isScoped: true } as const;

/** The live stream. It ends with the server, and with the session that opened it. */
export function addStream(app: FastifyInstance, parts: StreamParts, limits: Required<StreamLimits>): void {
  const ending = new AbortController();
  let open = 0;
  app.addHook("preClose", async () => ending.abort());
  app.get(`${parts.address.basePath}${apiPrefix}/stream`, async (request, reply) => {
    if (open >= limits.atOnce) throw tooMany();
    const credentials = credentialsOf(request.headers, parts.cookieName);
    const actor = await requireListener(credentials, parts.reception, true);
    const listener = { ...(await whereFrom(request, parts.feed)), credentials, actor, ending: ending.signal };
    open += 1;
    reply.raw.once("close", () => {
      open -= 1;
    });
    return answer(reply, tell({ ...listener, gone: goneSignal(reply) }, parts, limits));
  });
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

function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort());
  return gone.signal;
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

interface Listener extends Start {
  readonly credentials: Credentials;
  /** As they were when they came. */
  readonly actor: Actor;
  readonly gone: AbortSignal;
  readonly ending: AbortSignal;
}

async function* tell(
  { from, topics, credentials, actor, gone, ending }: Listener,
  { feed, reception, clock }: StreamParts,
  { beatMs, checkMs }: Required<StreamLimits>,
): AsyncGenerator<string> {
  const either = AbortSignal.any([gone, ending]);
  let position = from;
  let seesAll = seesEverything(actor);
  let nextBeat = clock.now() + beatMs;
  let nextCheck = clock.now() + checkMs;
  yield `id: ${position.n}\n\n`;
  while (!either.aborted) {
    const news = await feed.after(position, {
      waitMs: Math.max(0, Math.min(nextBeat, nextCheck) - clock.now()),
      signal: either,
    });
    if (clock.now() >= nextCheck) {
      nextCheck = clock.now() + checkMs;
      const welcome = await lookAgain(credentials, reception);
      if ("code" in welcome) {
        yield eventText("bye", welcome, null);
        return;
      }
      seesAll = seesEverything(welcome.actor);
    }
    position = news.position;
    const text = news.kind === "reset" ? eventText("reset", {}, position.n) : textOf(news.changes, { topics, seesAll });
    if (text !== "") yield text;
    else if (clock.now() >= nextBeat) yield ":\n\n";
    if (text !== "" || clock.now() >= nextBeat) nextBeat = clock.now() + beatMs;
  }
  if (!gone.aborted) yield eventText("bye", { code: publicCodes.SERVER_UNAVAILABLE }, null);
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
    if (isOfficeError(error)) return { code: publicCodes[error.code] };
    throw error;
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
