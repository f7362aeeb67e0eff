import type { Host } from "../domain/clock.ts";
import type { Database } from "../domain/database.ts";
import { requireNumber, requireOption, withDefaults } from "../domain/options.ts";
import { defaultSchema, requireSchemaName } from "../schema/migrate.ts";
import { systemHost } from "../system/host.ts";
import type { Transport } from "../transports/transport.ts";
import type { RelayObserver } from "./relay-events.ts";

export interface OutboxRelayOptions {
  /** Made by `pgDatabase` or `pgliteDatabase`: where the outbox is. Stopping the relay leaves it open. */
  readonly database: Database;
  /** Where messages are sent to; of any broker. Stopping the relay leaves it open. */
  readonly transport: Transport;
  /** Where the tables are; they are made when the relay starts, or by `migrate`. @default "dlo" */
  readonly schema?: string;
  /** How often an empty outbox is looked at, in milliseconds: how late a message may be. @default 200 */
  readonly pollMs?: number;
  /** Messages claimed at once, at most; twice as many may be in hand. @default 100 */
  readonly batch?: number;
  /** Sends under way at once, in this process. Those of one key follow each other all the same. @default 50 */
  readonly concurrency?: number;
  /**
   * How long a claim keeps messages from other relays, in milliseconds, by the database's clock: how late they are when
   * a relay dies with them. At least twice `sendWithinMs`. @default 30_000
   */
  readonly leaseMs?: number;
  /** How long the broker may take for a send, in milliseconds; after that it has failed and is repeated. @default 10_000 */
  readonly sendWithinMs?: number;
  /**
   * How long the database may take to answer, in milliseconds; after that the answer is unknown. Null: for ever, as on
   * PGlite, where everything waits for the transactions of others. @default 10_000, on PGlite null
   */
  readonly answerWithinMs?: number | null;
  /** Wait before the second send of a message, in milliseconds; it doubles with each failure. @default 500 */
  readonly firstRetryMs?: number;
  /** No wait between two sends of a message is longer than this, in milliseconds. @default 60_000 */
  readonly maxRetryMs?: number;
  /**
   * A message that the broker refused this often is set aside, with its key: too large, no such queue. Failures of any
   * other kind are repeated without end. @default 5
   */
  readonly maxRefusals?: number;
  /** How long a message is kept in the table `outbox_sent` after it was sent, in milliseconds. 0: not at all. @default 0 */
  readonly keepSentMs?: number;
  /** How often the lag is measured and told, in milliseconds; each time counts the table's rows. 0: never. @default 15_000 */
  readonly lagEveryMs?: number;
  /** Something in hand and nothing finished for this long is "stalled", in milliseconds. @default 120_000 */
  readonly stalledAfterMs?: number;
  /** Who is told what happens, from the first event on. @default [] */
  readonly observers?: readonly RelayObserver[];
  /** Clock, dice and ids. Leases go by the database's own clock all the same. @default the host's */
  readonly host?: Host;
}

type Settings = Omit<OutboxRelayOptions, "database" | "transport">;

export type RelaySettings = Required<OutboxRelayOptions>;

export const outboxRelayDefaults: Required<Settings> = {
  schema: defaultSchema,
  pollMs: 200,
  batch: 100,
  concurrency: 50,
  leaseMs: 30_000,
  sendWithinMs: 10_000,
  answerWithinMs: 10_000,
  firstRetryMs: 500,
  maxRetryMs: 60_000,
  maxRefusals: 5,
  keepSentMs: 0,
  lagEveryMs: 15_000,
  stalledAfterMs: 120_000,
  observers: [],
  host: systemHost,
};

const dayMs = 86_400_000;

export function readRelayOptions({ database, transport, ...options }: OutboxRelayOptions): RelaySettings {
  requireOption(typeof database?.query === "function", "database", "what pgDatabase or pgliteDatabase makes");
  requireOption(typeof transport?.send === "function", "transport", "a transport");
  const defaults = database.serial ? { ...outboxRelayDefaults, answerWithinMs: null } : outboxRelayDefaults;
  const settings = withDefaults<Settings>(defaults, options);
  requireSchemaName(settings.schema);
  requireTimes(settings);
  requireNumber("batch", settings.batch, { min: 1, max: 1_000, integer: true });
  requireNumber("concurrency", settings.concurrency, { min: 1, max: 10_000, integer: true });
  requireNumber("maxRefusals", settings.maxRefusals, { min: 1, integer: true });
  return { database, transport, ...settings };
}

function requireTimes(settings: Required<Settings>): void {
  const { sendWithinMs, answerWithinMs, firstRetryMs } = settings;
  requireNumber("pollMs", settings.pollMs, { min: 1, max: dayMs });
  requireNumber("sendWithinMs", sendWithinMs, { min: 1, max: dayMs });
  // Less, and what is claimed could not be begun any more: nothing is begun that might outlast its lease.
  requireNumber("leaseMs", settings.leaseMs, { min: 2 * sendWithinMs, max: 2 * dayMs });
  if (answerWithinMs !== null) requireNumber("answerWithinMs", answerWithinMs, { min: 1, max: dayMs });
  requireNumber("firstRetryMs", firstRetryMs, { min: 1, max: dayMs });
  requireNumber("maxRetryMs", settings.maxRetryMs, { min: firstRetryMs, max: dayMs });
  requireNumber("keepSentMs", settings.keepSentMs, { min: 0, max: 3_650 * dayMs });
  requireNumber("lagEveryMs", settings.lagEveryMs, { min: 0, max: dayMs });
  requireNumber("stalledAfterMs", settings.stalledAfterMs, { min: 1_000, max: dayMs });
}
