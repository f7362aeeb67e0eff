import { dirname, join, resolve } from "node:path";
import type { Config, SourceConfig } from "./config/config.ts";
import { findConfig, readConfig } from "./config/config-file.ts";
import { referenceOrigin } from "./config/reference.ts";
import { type OpenPg, openPg } from "./databases/open-pg.ts";
import { readDeadLetter } from "./dialects/read-dead-letter.ts";
import { queuesToDrain } from "./doctor/queues-to-drain.ts";
import type { Actor } from "./domain/actor.ts";
import { within } from "./domain/clock.ts";
import { OfficeError } from "./domain/errors.ts";
import { idsInOrder } from "./domain/ids.ts";
import { nearestName } from "./domain/options.ts";
import { defaultMasking } from "./domain/redaction.ts";
import { openLedger } from "./ledger/ledger.ts";
import { type DrainProgress, type DrainTuning, drain } from "./office/intake/drain.ts";
import type { ReadingRoom } from "./office/intake/read-letter.ts";
import { type StandingDrains, standingDrains } from "./office/intake/standing-drains.ts";
import { type OnceOnly, onceOnly } from "./office/once-only.ts";
import type { Office } from "./office/operations/operation.ts";
import { type Call, callsTo } from "./office/operations/operations.ts";
import { type Reception, reception } from "./office/people/reception.ts";
import { policyKeeper } from "./office/policy/policy-in-force.ts";
import { type ExportOptions, exportLetters } from "./office/transfer/export-letters.ts";
import {
  type ImportedDocument,
  type ImportParts,
  type ImportResult,
  importLetters,
} from "./office/transfer/import-letters.ts";
import { fileBodyStore } from "./stores/file-body-store.ts";
import { systemHost } from "./system/host.ts";
import { newSecret } from "./system/secrets.ts";
import type { Incident, Transport } from "./transports/transport.ts";
import { classify } from "./triage/classify.ts";
import { fingerprint } from "./triage/fingerprint/fingerprint.ts";

/** What decides which ledger and which brokers; the environment is read by the command line alone. */
export interface OfficeSettings {
  /** Of a PostgreSQL; null for the configuration's, or the embedded one. */
  readonly databaseUrl: string | null;
  /** Where the embedded ledger and large bodies are. */
  readonly dataFolder: string;
  /** A configuration's file; null for the one of this folder or further up. */
  readonly configFile: string | null;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly version: string;
}

/** An office at work, in this process. */
export interface OpenedOffice {
  /** Asks for one of the table of operations. */
  readonly call: Call;
  /** Where the ledger is, in words. */
  readonly place: string;
  /** In this process: it survives a crash, not a power cut. */
  readonly isEmbedded: boolean;
  readonly config: Config | null;
  /** Where people come in. */
  readonly reception: Reception;
  readonly once: OnceOnly;
  /** Whether the ledger answers, and soon. */
  isAnswering(): Promise<boolean>;
  /** Drains what the configuration wants drained, until the office is closed. */
  startDrains(): void;
  /** Drains a queue of a source of the configuration into the ledger. */
  drain(request: DrainRequest): Promise<DrainProgress>;
  importLetters(
    request: Pick<ImportParts, "actor" | "source" | "onProgress">,
    documents: AsyncIterable<ImportedDocument>,
  ): Promise<ImportResult>;
  exportLetters(options: ExportOptions): AsyncIterable<string>;
  close(): Promise<void>;
}

export interface DrainRequest {
  readonly source: string;
  readonly queue: string;
  readonly actor: Actor;
  readonly tuning: DrainTuning;
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: DrainProgress) => void;
  readonly onIncident?: (incident: Incident) => void;
}

interface SourceTransport {
  readonly transport: Transport;
  /** Reads a log as this group. */
  readonly group: string | null;
  close(): Promise<void>;
}

const ninetyDaysMs = 90 * 86_400_000;

/** Builds an office and wires its parts. */
export async function openOffice(settings: OfficeSettings): Promise<OpenedOffice> {
  const found = settings.configFile ?? (await findConfig("."));
  const file = found === undefined ? null : await readConfig(found);
  const config = file?.config ?? null;
  const opened = await openDatabase(settings, config);
  const masking = config?.masking ?? defaultMasking;
  const ledger = await openLedger({ database: opened.database, masking });
  const bodies = bodyStoreOf(settings, config, file?.path ?? null);
  const retentionMs = config?.ledger.retention ?? ninetyDaysMs;
  const running: { drains: StandingDrains | null } = { drains: null };
  const self = {
    version: settings.version,
    place: opened.place,
    isEmbedded: opened.isEmbedded,
    drains: () => running.drains?.status() ?? [],
  };
  const office: Office = {
    ledger,
    bodies,
    masking,
    retentionMs,
    clock: systemHost.clock,
    newId: systemHost.newId,
    newSecret,
    self,
  };
  const room = readingRoom(office);
  const drainQueue: OpenedOffice["drain"] = async (request) =>
    drainSource(office, room, request, await connect(request.source, config, settings));
  return {
    call: callsTo(office),
    place: opened.place,
    isEmbedded: opened.isEmbedded,
    config,
    reception: reception({ ledger, clock: office.clock, newSecret }),
    once: onceOnly(ledger),
    isAnswering: () => isAnswering(opened),
    drain: drainQueue,
    startDrains: () => {
      running.drains ??= startDrains(config, settings, drainQueue);
    },
    importLetters: (request, documents) => importLetters({ ...request, office, room }, documents),
    exportLetters: (options) => exportLetters(office, options),
    async close() {
      await running.drains?.close();
      await opened.close();
    },
  };
}

const readyWithinMs = 2_000;

function isAnswering({ database }: OpenPg): Promise<boolean> {
  const asked = database.query("select 1", []).then(
    () => true,
    () => false,
  );
  return within(systemHost.clock, readyWithinMs, asked, () => false);
}

/** Whoever drains because the configuration says so. */
const officeItself: Actor = { id: "office", kind: "system", roles: ["admin"] };
/** Others take over what a dead process had in hand when this is over. */
const standingLeaseMs = 6_000;
const inspectLimitMs = 15_000;

function startDrains(
  config: Config | null,
  { env }: OfficeSettings,
  drainQueue: OpenedOffice["drain"],
): StandingDrains {
  const sources = config?.sources ?? [];
  const tuning = { idleMs: null, leaseMs: standingLeaseMs };
  return standingDrains({
    sources: sources.map(({ name }) => name),
    async queuesOf(name, signal) {
      const source = sources.find((each) => each.name === name);
      const look = { origin: referenceOrigin(env), clock: systemHost.clock, signal, limitMs: inspectLimitMs };
      return source === undefined ? [] : queuesToDrain(source, look);
    },
    drain: (queue, hooks) => drainQueue({ ...queue, ...hooks, actor: officeItself, tuning }),
    clock: systemHost.clock,
  });
}

function readingRoom({ ledger, masking, bodies, clock }: Office): ReadingRoom {
  const newId = idsInOrder(systemHost.newId);
  return {
    read: readDeadLetter,
    triage: { classify, fingerprint },
    policy: policyKeeper(ledger, clock),
    masking,
    bodies,
    newLetterId() {
      const arrivedAt = clock.now();
      return { id: newId(arrivedAt), arrivedAt };
    },
  };
}

async function drainSource(
  { ledger }: Office,
  room: ReadingRoom,
  { queue, tuning, ...request }: DrainRequest,
  { transport, group, close }: SourceTransport,
): Promise<DrainProgress> {
  const from = group === null ? { name: queue } : { name: queue, group };
  try {
    return await drain({ ...request, ledger, room, transport, from, host: systemHost }, tuning);
  } finally {
    await close();
  }
}

async function openDatabase(
  { databaseUrl, dataFolder, env }: OfficeSettings,
  config: Config | null,
): Promise<OpenPg & { readonly place: string; readonly isEmbedded: boolean }> {
  const url = databaseUrl ?? (await config?.ledger.url?.resolve(referenceOrigin(env))) ?? null;
  if (url === null) {
    const { openPglite } = await import("./databases/open-pglite.ts");
    return { ...(await openPglite(dataFolder)), place: dataFolder, isEmbedded: true };
  }
  return { ...(await openServer(url)), place: placeOf(url), isEmbedded: false };
}

/** Connections at once: two to write, the rest to read meanwhile. */
const connections = 4;
const limitMs = 60_000;

/** Refuses at once where nobody answers. Never shows the address, which may hold a password. */
async function openServer(url: string): Promise<OpenPg> {
  const opened = await openPg(url, { connections, limitMs });
  try {
    await opened.database.query("select 1", []);
    return opened;
  } catch (error) {
    await opened.close();
    const reason = error instanceof AggregateError ? (error.errors[0] as unknown) : error;
    const why = reason instanceof Error ? reason.message : String(reason);
    throw new OfficeError("STORE_UNAVAILABLE", `${placeOf(url)} did not answer: ${why}.`, {
      cause: error,
    });
  }
}

function placeOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `PostgreSQL ${host}${pathname}`;
  } catch {
    return "PostgreSQL";
  }
}

/** Bodies too large for a row lie beside the ledger: a folder of one machine, unless the configuration names a shared one. */
function bodyStoreOf(
  { dataFolder }: OfficeSettings,
  config: Config | null,
  configPath: string | null,
): Office["bodies"] {
  const { store = "fs", path = null } = config?.ledger.bodies ?? {};
  if (store !== "fs") {
    throw new OfficeError("INVALID_CONFIG", '`ledger.bodies.store` can only be "fs" in this version.');
  }
  const folder = path === null ? join(dataFolder, "bodies") : resolve(dirname(configPath ?? "."), path);
  return fileBodyStore({ folder, newId: systemHost.newId, clock: systemHost.clock });
}

async function connect(name: string, config: Config | null, { env }: OfficeSettings): Promise<SourceTransport> {
  const sources = config?.sources ?? [];
  const source = sources.find((each) => each.name === name);
  if (source === undefined) throw sourceNotFound(name, sources);
  const url = await source.url.resolve(referenceOrigin(env));
  return openTransport(source, url);
}

async function openTransport({ broker, name, schema }: SourceConfig, url: string): Promise<SourceTransport> {
  if (broker === "rabbitmq") {
    const { rabbitmqTransport } = await import("./transports/rabbitmq/transport.ts");
    const transport = rabbitmqTransport({ url, topology: "check", name: "dlo drain" });
    return { transport, group: null, close: () => transport.close() };
  }
  if (broker === "postgres") {
    const { postgresTransport } = await import("./transports/postgres/transport.ts");
    const { database, close } = await openServer(url);
    const transport = postgresTransport({ database, ...(schema === undefined ? {} : { schema }) });
    const closeBoth = async () => {
      await transport.close();
      await close();
    };
    return { transport, group: null, close: closeBoth };
  }
  if (broker === "kafka") {
    const { kafkaTransport } = await import("./transports/kafka/transport.ts");
    const { parseKafkaAddress } = await import("./inspectors/kafka/kafka-address.ts");
    // The office sends nothing back to wait, but a consumer of ours needs its retry topics: as few as there can be.
    const { brokers, tls, sasl } = parseKafkaAddress(url);
    const transport = kafkaTransport({
      brokers: brokers.map(({ host, port }) => `${host}:${port}`),
      ...(tls === undefined ? {} : { tls }),
      ...(sasl === undefined ? {} : { sasl }),
      retryWaitsMs: [0, 1_000],
    });
    return { transport, group: "dlo-office", close: () => transport.close() };
  }
  throw new OfficeError("INVALID_OPTION", `Source \`${name}\` is ${broker}, which cannot be drained in this version.`);
}

function sourceNotFound(name: string, sources: readonly SourceConfig[]): OfficeError {
  const names = sources.map((source) => source.name);
  const nearest = nearestName(name, names);
  const way =
    names.length === 0
      ? "Add it to dlo.config.yaml, under `sources`."
      : nearest === undefined
        ? `It has ${names.join(", ")}.`
        : `Did you mean \`${nearest}\`?`;
  return new OfficeError("SOURCE_NOT_FOUND", `The configuration has no source \`${name}\`. ${way}`, {
    details: { source: name },
  });
}
