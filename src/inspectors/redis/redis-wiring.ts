import { deadLetteringByName, lettersByName } from "../../wiring/letters-by-name.ts";
import { type Gap, type Hazard, keepsAll, type WiredQueue, type Wiring } from "../../wiring/wiring.ts";

/** What was seen of a stream. */
export interface StreamFacts {
  readonly name: string;
  readonly length: number;
  /** When its oldest entry was added, by Redis's clock, in milliseconds since 1970. */
  readonly oldestAt: number | null;
  /** Groups of which somebody deleted entries before they had read them. */
  readonly deprivedGroups: readonly string[];
}

/** What was seen of the server; settings are null where they may not be read. */
export interface ServerFacts {
  readonly version: string;
  readonly now: number;
  readonly settings: ReadonlyMap<string, string> | null;
  /** Whether there are more streams than were looked at. */
  readonly isCut: boolean;
}

/** Redis itself knows of no dead letters: what belongs together is told by the names. Pure. */
export function redisWiring(server: ServerFacts, streams: readonly StreamFacts[]): Wiring {
  const letters = lettersByName(streams.map(({ name }) => name));
  const cut = server.isCut ? [`streams beyond the first ${streams.length}`] : [];
  return {
    product: `Redis ${server.version}`,
    queues: streams.map((stream) => wiredStream(stream, letters.get(stream.name) ?? [], server.now)),
    sees: ["how many entries are in each stream, and how old the oldest is", "whether Redis keeps what it confirms"],
    blindTo: [
      "whether consumers dead-letter at all: Redis leaves that to them, and their streams are found by their names",
      ...cut,
    ],
    gaps: server.settings === null ? [noSettings] : [],
    hazards: [...hazardsOf(server.settings ?? new Map()), ...streams.flatMap(trimmedIn)],
  };
}

function wiredStream({ name, length, oldestAt }: StreamFacts, letters: readonly string[], now: number): WiredQueue {
  return {
    name,
    depth: length,
    oldestAgeMs: oldestAt === null ? null : Math.max(0, now - oldestAt),
    isTemporary: false,
    deadLettering: deadLetteringByName(name, letters),
    keeping: keepsAll,
    deliveryLimit: null,
  };
}

const noSettings: Gap = {
  kind: "missing",
  sentence: "The settings cannot be read, so whether Redis keeps what it confirms is not known.",
  remedy: "redis-cli ACL SETUSER dlo +config|get",
};

function hazardsOf(settings: ReadonlyMap<string, string>): Hazard[] {
  return [evicting(settings), forgetting(settings)].flatMap((hazard) => hazard ?? []);
}

function evicting(settings: ReadonlyMap<string, string>): Hazard | null {
  const policy = settings.get("maxmemory-policy") ?? "";
  const isLimited = Number(settings.get("maxmemory") ?? 0) > 0;
  if (!policy.startsWith("allkeys-") || !isLimited) return null;
  const sentence = `When memory is short, Redis deletes streams or what belongs to them: maxmemory-policy is ${policy}.`;
  return { kind: "evicts", queue: null, sentence, remedy: "redis-cli CONFIG SET maxmemory-policy noeviction" };
}

function forgetting(settings: ReadonlyMap<string, string>): Hazard | null {
  if (settings.get("appendonly") === "no") {
    const sentence = "A restart loses what came since the last snapshot, or everything: appendonly is no.";
    return { kind: "forgets", queue: null, sentence, remedy: "redis-cli CONFIG SET appendonly yes" };
  }
  const flush = settings.get("appendfsync") ?? "always";
  if (flush === "always") return null;
  const lost = flush === "everysec" ? "up to a second" : "up to half a minute";
  const sentence = `A crash of the machine loses ${lost} of confirmed messages: appendfsync is ${flush}.`;
  return { kind: "flushes-late", queue: null, sentence, remedy: "redis-cli CONFIG SET appendfsync always" };
}

function trimmedIn({ name, deprivedGroups }: StreamFacts): Hazard[] {
  return deprivedGroups.map((group) => ({
    kind: "trimmed",
    queue: name,
    sentence: `\`${name}\` was trimmed of entries that the group \`${group}\` had not read.`,
    remedy: `Leave out MAXLEN in XADD. To trim, go no further than the slowest group: XINFO GROUPS ${name}`,
  }));
}
