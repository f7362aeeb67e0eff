import { dirname, join } from "node:path";
import { schemasIn } from "./body-schemas/schemas-in.ts";
import type { Config } from "./config/config.ts";
import { type ConfigFile, findConfig, readConfig } from "./config/config-file.ts";
import { noticeSettings } from "./config/notice-settings.ts";
import { referenceOrigin } from "./config/reference.ts";
import { issuerOf, peopleOf, rolesOf } from "./config/sign-in.ts";
import { webhooksOf } from "./config/webhooks.ts";
import { isAnswering } from "./databases/is-answering.ts";
import { type OpenedDatabase, openDatabase } from "./databases/open-database.ts";
import { readDeadLetter } from "./dialects/read-dead-letter.ts";
import type { Actor } from "./domain/actor.ts";
import type { Clock, Host } from "./domain/clock.ts";
import type { Database } from "./domain/database.ts";
import { type Duty, duties } from "./domain/duty.ts";
import type { IdentityIssuer } from "./domain/identity.ts";
import { defaultMasking } from "./domain/redaction.ts";
import type { SignInReport } from "./domain/sign-in-check.ts";
import { addressesAt } from "./http/provider-addresses.ts";
import { listAddedSources } from "./ledger/added-sources.ts";
import { type Restored, readBackup } from "./ledger/backup/read-backup.ts";
import { type BackedUp, type BackupRequest, writeBackup } from "./ledger/backup/write-backup.ts";
import { isDemo } from "./ledger/demo-mark.ts";
import { type Ledger, openLedger } from "./ledger/ledger.ts";
import { teller } from "./office/decide/call-webhook.ts";
import { type Regrouped, type RegroupRequest, regroup } from "./office/grouping/regroup.ts";
import { type DrainProgress, type DrainRequest, drain } from "./office/intake/drain.ts";
import { catchUp, drainUntil, officeItself } from "./office/intake/own-drain.ts";
import { peekQueue } from "./office/intake/peek.ts";
import type { ReadingRoom } from "./office/intake/read-letters.ts";
import { readingRoom } from "./office/intake/reading-room.ts";
import { keySums } from "./office/keys/key-sums.ts";
import { releaseSender } from "./office/keys/send-release.ts";
import { noticesOf } from "./office/notify/notifiers.ts";
import { type OnceOnly, onceOnly } from "./office/once-only.ts";
import type { Office } from "./office/operations/operation.ts";
import { type Call, callsTo, type OutputOf } from "./office/operations/operations.ts";
import { standingSessionChecks } from "./office/people/check-sessions.ts";
import { type Reception, type ReceptionParts, reception } from "./office/people/reception.ts";
import { type SignInsElsewhere, signInsElsewhere } from "./office/people/sign-ins-elsewhere.ts";
import { type PeopleKeeper, peopleKeeper, type StandingPeopleParts } from "./office/people/standing-people.ts";
import { policyReader } from "./office/policy/policy-in-force.ts";
import { Presence } from "./office/presence.ts";
import { readReports } from "./office/replay/read-reports.ts";
import { replayDesk } from "./office/replay/replay-desk.ts";
import type { RunEnd, RunRequest } from "./office/replay/run-replay.ts";
import { runWatched } from "./office/replay/run-watched.ts";
import { sharedAnswers } from "./office/shared-answers.ts";
import { workOf } from "./office/standing-work.ts";
import { type Replaying, startWork, type Working } from "./office/start-work.ts";
import { type ChangeFeed, changeFeed } from "./office/stream/change-feed.ts";
import type { WorkStatus } from "./office/work-status.ts";
import { type GuardedClient, guardedClient } from "./outbound/guarded-client.ts";
import { checkProvider } from "./outbound/oidc/check-provider.ts";
import { oidcIssuer } from "./outbound/oidc/issuer.ts";
import { bringUpToDate } from "./schema/bring-up-to-date.ts";
import { pendingMigrations } from "./schema/migrate.ts";
import { realSources, type Sources } from "./sources/real-sources.ts";
import { noRealSource, type SimulatedSource, simulatedPool } from "./sources/simulated-source.ts";
import type { SourcePool } from "./sources/source-pool.ts";
import { openBodyStore } from "./stores/open-body-store.ts";
import { systemHost } from "./system/host.ts";
import { processName } from "./system/machine-name.ts";
import { sealing } from "./system/sealing.ts";
import { newSecret } from "./system/secrets.ts";

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
  /** Where this process listens, for links in notices. @default where the configuration says */
  readonly listen?: string;
  /** A made-up world in place of the configuration and its brokers. @default none: everything is real */
  readonly simulation?: Simulation;
}

/** What a demonstration brings instead of brokers, and instead of the host's clock and dice. */
export interface Simulation {
  readonly host: Host;
  /** Called once, before anything is done with the ledger; gives all the sources there are. */
  open(ledger: Ledger, room: ReadingRoom): Promise<readonly SimulatedSource[]>;
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
  /** Where else people sign in; null where they have a name and a password here. */
  readonly issuer: IdentityIssuer | null;
  /** Remembers who is there. */
  readonly signIns: SignInsElsewhere;
  readonly once: OnceOnly;
  /** What changes in the ledger, whoever changes it. */
  readonly feed: ChangeFeed;
  /** Aborts when this process may not go on, as its ledger was changed while it stood still; the reason says so. */
  readonly over: AbortSignal;
  /** Whether the ledger answers, and soon. */
  isAnswering(): Promise<boolean>;
  /** How what this process does by itself goes. */
  work(): WorkStatus;
  /** What can be counted, of the whole office. */
  figures(): Promise<OutputOf<"figures.get">>;
  /** Does its duties until the office is closed: drains what is to be drained, hears consumers, leads replays. @default all */
  startWork(duties?: readonly Duty[]): Promise<void>;
  /** Keeps `people:` of the configuration in force. */
  readonly people: PeopleKeeper;
  /** Drains a queue of a source of the configuration into the ledger. */
  drain(request: DrainRequest): Promise<DrainProgress>;
  /** Runs a replay that was started, with an eye on its reports and returns, until it ends or `signal` aborts. */
  runReplay(request: RunRequest): Promise<RunEnd>;
  /** Lets letters follow what was merged and split, until all have or `signal` aborts. */
  regroup(request: RegroupRequest): Promise<Regrouped>;
  /** The whole ledger, line by line. */
  backup(request: Omit<BackupRequest, "bodies">): Promise<BackedUp>;
  /** Fills the ledger, which must be empty, from the lines of a backup. */
  restore(actor: Actor, lines: AsyncIterable<string>): Promise<Restored>;
  /** Tells whoever finds an embedded ledger taken where the office is that has it. */
  announce(url: string): void;
  close(): Promise<void>;
}

const ninetyDaysMs = 90 * 86_400_000;

/** Builds an office and wires its parts. */
export async function openOffice(settings: OfficeSettings): Promise<OpenedOffice> {
  const { file, opened } = await openLedgerOf(settings);
  try {
    await bringUpToDate(opened);
    return await assemble(settings, file, opened);
  } catch (error) {
    await opened.close();
    throw error;
  }
}

/** Only makes the tables of the ledger, or brings them up to date, and says what was or would be done to them. */
export async function migrateLedger(settings: OfficeSettings, { isDry }: { readonly isDry: boolean }) {
  const { opened } = await openLedgerOf(settings);
  try {
    const migrations = isDry ? await pendingMigrations(opened) : await bringUpToDate(opened);
    return { place: opened.place, migrations };
  } finally {
    await opened.close();
  }
}

/** Tries the identity provider of the configuration, without a ledger; null where it names none. */
export async function checkSignIn(settings: OfficeSettings): Promise<SignInReport | null> {
  return signInCheckOf(settings, (await configFileOf(settings))?.config ?? null)();
}

/** What operations call that is neither the ledger nor a broker. */
function waysOut(
  settings: OfficeSettings,
  config: Config | null,
  { clock, outside }: { readonly clock: Clock; readonly outside: GuardedClient },
): Pick<Office, "tell" | "checkSignIn"> {
  return {
    tell: teller({ clock, outside, hooks: webhooksOf(config, referenceOrigin(settings.env)) }),
    checkSignIn: signInCheckOf(settings, config),
  };
}

function signInCheckOf({ env, listen }: OfficeSettings, config: Config | null): Office["checkSignIn"] {
  const options = issuerOf(config, referenceOrigin(env));
  if (config === null || options === null) return async () => null;
  const parts = { options, allow: config.office.outbound.allow, clock: systemHost.clock };
  return async () => checkProvider(parts, addressesAt(config.office, listen));
}

async function openLedgerOf(settings: OfficeSettings) {
  const file = await configFileOf(settings);
  return { file, opened: await openDatabase(await databaseUrlOf(settings, file?.config ?? null), settings.dataFolder) };
}

async function assemble(
  settings: OfficeSettings,
  file: ConfigFile | null,
  opened: OpenedDatabase,
): Promise<OpenedOffice> {
  const host = settings.simulation?.host ?? systemHost;
  const config = file?.config ?? null;
  const masking = config?.masking ?? defaultMasking;
  const presence = new Presence(host.clock);
  const ledger = await openLedger({ database: guardedBy(presence, settings, opened), masking });
  const bodies = await bodyStoreOf(settings, config, { configPath: file?.path ?? null, host });
  const [{ place, isEmbedded }, { clock }] = [opened, host];
  const roles = rolesOf(config);
  const room = readingRoom({ ledger, masking, bodies }, host);
  const sources = await sourcesOf(settings, config, { ledger, room, isEmbedded });
  const { pool } = sources;
  const drainQueue: OpenedOffice["drain"] = (request) => drainSource({ ledger, room, host, pool }, request);
  const outside = guardedClient({ allow: config?.office.outbound.allow ?? [], clock });
  const replay = replayDesk({
    ...{ ledger, bodies, pool, host, roles, read: readDeadLetter, policy: policyReader(ledger) },
    schemaFor: schemasIn(config?.schemas ?? [], dirname(file?.path ?? ".")),
    call: (url) => outside.call(url),
    hear: (source, signal) => work.unlessBegun(() => readReports({ ledger, host }, pool, source, { signal })),
    catchUp: (queue) => catchUp({ drain: drainQueue, clock }, queue),
  });
  const notices = noticeSettings(config, referenceOrigin(settings.env), settings.listen);
  const office: Office = {
    ...{ ledger, bodies, masking, clock, newId: host.newId, newSecret, replay, room, drain: drainQueue, roles },
    ...{ share: sharedAnswers(), notifiers: notices.notifiers, ...atBrokers(sources, { room, clock }) },
    retentionMs: config?.ledger.retention ?? ninetyDaysMs,
    self: selfOf(settings, opened, { id: () => presence.id, work: () => work.status() }),
    ...waysOut(settings, config, { clock, outside }),
  };
  const telling = noticesOf(notices, { ledger, clock, outside });
  const call = callsTo(office);
  const feed = changeFeed(ledger, clock);
  const signIn = signInOf(settings, file, { ledger, clock, newSecret, roles });
  const parts = { sources, drainQueue, replay, pool, office, roles, telling, presence, signIn };
  const work = workOf((does) => startWork({ ...parts, ...processOf(opened, feed) }, does));
  return {
    ...{ call, place, isEmbedded, config, ...signIn, drain: drainQueue },
    once: onceOnly(ledger),
    feed,
    isAnswering: async () => !presence.over.aborted && (await isAnswering(opened.database, systemHost.clock)),
    over: presence.over,
    work: work.status,
    figures: () => call("figures.get", officeItself, {}),
    startWork: (does = duties) => work.begin(does),
    regroup: (request) => regroup(office, request),
    runReplay: (request) => runAlone({ replay, pool, drainQueue }, request),
    backup: (request) => writeBackup(ledger, { ...request, bodies }),
    restore: (actor, lines) => readBackup(ledger, { actor, bodies, lines, now: clock.now() }),
    announce: (url) => opened.announce?.(url),
    async close() {
      await work.end();
      await pool.close();
      await opened.close();
    },
  };
}

/** The sources, and what is asked of them as they are now: where consumers keep what they share, and what lies in a queue. */
function atBrokers(
  { pool, desk, all }: Sources,
  { room, clock }: Pick<Office, "room" | "clock">,
): Pick<Office, "sources" | "sourceNames" | "sharedBy" | "blockedKeysOf" | "keySums" | "sendRelease" | "peek"> {
  return {
    sources: desk,
    sourceNames: () => all().map(({ name }) => name),
    sendRelease: releaseSender((source) => pool.get(source)),
    sharedBy: async (source) => (await pool.get(source)).shared ?? null,
    blockedKeysOf: async (source) => (await pool.get(source)).blockedKeys ?? null,
    keySums: keySums(clock),
    peek: (request) => peekQueue({ open: (source) => pool.get(source), room, clock }, request),
  };
}

/** What work needs of the process it is done in. */
function processOf(
  { database }: OpenedDatabase,
  { followers }: ChangeFeed,
): Pick<Working, "database" | "host" | "followers"> {
  return { database, host: processName, followers };
}

/** How people come in. */
function signInOf(
  { env, dataFolder }: OfficeSettings,
  file: ConfigFile | null,
  parts: ReceptionParts,
): Pick<OpenedOffice, "reception" | "issuer" | "signIns" | "people"> & Working["signIn"] {
  const config = file?.config ?? null;
  const options = issuerOf(config, referenceOrigin(env));
  const allow = config?.office.outbound.allow ?? [];
  const takesPasswords = config?.signIn.passwords ?? true;
  const issuer = options === null ? null : oidcIssuer({ options, allow, clock: parts.clock });
  const everyMs = config?.signIn.oidc?.checkEvery ?? 0;
  const checks = everyMs === 0 ? null : { everyMs, sealing: sealing({ key: env.DLO_SECRET_KEY, folder: dataFolder }) };
  return {
    reception: reception({ ...parts, takesPasswords, checks }),
    issuer,
    sessionChecks:
      issuer === null || checks === null
        ? null
        : () => standingSessionChecks({ ...parts, roles: parts.roles ?? [], issuer, ...checks }),
    signIns: signInsElsewhere(parts),
    people: peopleKeeper({ ...parts, read: peopleReader(file) }),
  };
}

function selfOf(
  { version }: OfficeSettings,
  { place, isEmbedded, waits, freeBytes }: OpenedDatabase,
  running: Pick<Office["self"], "id" | "work">,
): Office["self"] {
  return { version, place, isEmbedded, freeBytes, ...running, databaseWaits: () => waits?.() ?? 0 };
}

interface Surroundings {
  readonly ledger: Ledger;
  readonly room: ReadingRoom;
  readonly isEmbedded: boolean;
}

/** An embedded ledger is nobody else's to change, and a demonstration's clock is no measure of silence. */
function guardedBy(
  presence: Presence,
  { simulation }: OfficeSettings,
  { database, isEmbedded }: OpenedDatabase,
): Database {
  return isEmbedded || simulation !== undefined ? database : presence.guard(database);
}

/** Brokers of the configuration, and those that were connected here; or, in a demonstration, none that is real. */
async function sourcesOf(
  { env, simulation, dataFolder }: OfficeSettings,
  config: Config | null,
  { ledger, room, isEmbedded }: Surroundings,
): Promise<Sources> {
  const simulated = await simulation?.open(ledger, room);
  const real = realSources({
    ...{ env, dataFolder, isEmbedded, clock: systemHost.clock },
    configured: simulated === undefined ? (config?.sources ?? []) : [],
    read: async () => (simulated === undefined ? listAddedSources(ledger) : []),
  });
  if (simulated !== undefined) return { ...real, ...simulatedSources(simulated) };
  await real.desk.book.refresh();
  const [first] = real.desk.book.all();
  if (first !== undefined && (await isDemo(ledger, ledger.database))) throw noRealSource(first.name);
  return real;
}

function simulatedSources(sources: readonly SimulatedSource[]): Pick<Sources, "pool" | "queuesOf" | "all"> {
  const queuesOf: Sources["queuesOf"] = async (name) => sources.find((each) => each.name === name)?.queues ?? [];
  return { pool: simulatedPool(sources), queuesOf, all: () => sources };
}

/** In a process that does nothing else. */
function runAlone({ replay, pool, drainQueue }: Replaying, request: RunRequest): Promise<RunEnd> {
  return runWatched(
    {
      replay,
      readReports: (source, signal) => readReports(replay, pool, source, { signal }),
      follow: (source, queue, signal) => drainUntil(drainQueue, { source, queue, signal }),
    },
    request,
  );
}

interface DrainParts {
  readonly ledger: Ledger;
  readonly room: ReadingRoom;
  readonly host: Host;
  readonly pool: SourcePool;
}

async function drainSource(
  { pool, ...parts }: DrainParts,
  { queue, tuning, ...request }: DrainRequest,
): Promise<DrainProgress> {
  const { transport, group } = await pool.get(request.source);
  const from = group === null ? { name: queue } : { name: queue, group };
  return drain({ ...request, ...parts, transport, from }, tuning);
}

/** The one that was named, or the one of this folder or further up. A demonstration has none. */
async function configFileOf({ configFile, simulation }: OfficeSettings): Promise<ConfigFile | null> {
  if (simulation !== undefined) return null;
  const found = configFile ?? (await findConfig("."));
  return found === undefined ? null : readConfig(found);
}

/** `people:` as the file has it each time; null where there is no file, or it says nothing of them. */
function peopleReader(file: ConfigFile | null): StandingPeopleParts["read"] {
  return async () => (file === null ? null : peopleOf((await readConfig(file.path)).config));
}

/** Where the ledger is; null for the embedded one. */
async function databaseUrlOf({ databaseUrl, env }: OfficeSettings, config: Config | null): Promise<string | null> {
  return databaseUrl ?? (await config?.ledger.url?.resolve(referenceOrigin(env))) ?? null;
}

async function bodyStoreOf(
  { dataFolder, env }: OfficeSettings,
  config: Config | null,
  { configPath, host }: { readonly configPath: string | null; readonly host: Host },
): Promise<Office["bodies"]> {
  const { store = "fs", path = null, region = null, endpoint } = config?.ledger.bodies ?? {};
  const place = { store, path, region, endpoint: (await endpoint?.resolve(referenceOrigin(env))) ?? null };
  return openBodyStore(place, { folder: join(dataFolder, "bodies"), from: dirname(configPath ?? "."), host });
}
