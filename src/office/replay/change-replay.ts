import type { Actor } from "../../domain/actor.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import { showId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { expireReplays } from "../../ledger/govern-replay.ts";
import { readReplay } from "../../ledger/read-replay.ts";
import { acknowledgedNumbers } from "../../ledger/replay-items.ts";
import type { ReplayRecord, ReplayState } from "../../ledger/replay-record.ts";
import { approvalHash } from "./plan-hash.ts";
import type { ReplayParts } from "./replay-parts.ts";

/** What deciding about a replay needs. */
export type GoverningParts = Pick<ReplayParts, "ledger" | "host" | "roles">;

export interface Said {
  readonly replay: Uint8Array;
  /** In the person's own words; kept in the audit log. */
  readonly reason: string;
}

interface Change {
  readonly replay: Uint8Array;
  readonly action: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** One transaction: the replay is held, changed, and the audit log told last. */
export async function changeReplay(
  { ledger, host }: GoverningParts,
  actor: Actor,
  { replay, action, details }: Change,
  make: (queries: Queries, record: ReplayRecord) => Promise<void>,
): Promise<void> {
  await expireReplays(ledger);
  await ledger.database.transaction(async (transaction) => {
    const record = await readReplay(ledger, transaction, { id: replay, forUpdate: true });
    await make(transaction, record);
    const told = { replay: showId("replay", replay), ...details };
    await recordAction(ledger, transaction, { at: host.clock.now(), actor, action, details: told });
  });
}

/** What an approval of the replay as it stands would be bound to. */
export async function approvalHashOf(
  { ledger }: Pick<GoverningParts, "ledger">,
  queries: Queries,
  { id, planHash }: Pick<ReplayRecord, "id" | "planHash">,
): Promise<string> {
  return approvalHash(planHash, await acknowledgedNumbers(ledger, queries, id));
}

/** `done` is what would be done to it: "approved". */
export function requireState({ id, state }: ReplayRecord, allowed: readonly ReplayState[], done: string): void {
  if (allowed.includes(state)) return;
  const words = (each: ReplayState) => each.replace("_", " ");
  const text = `${showId("replay", id)} is ${words(state)}: only one that is ${allowed.map(words).join(" or ")} can be ${done}.`;
  throw new OfficeError("REPLAY_NOT_READY", text, { details: { state, allowed } });
}

export function requireReason(reason: string, what: string): void {
  if (reason.trim() !== "") return;
  throw new OfficeError("INVALID_OPTION", `Say why: \`reason\` is kept with ${what} for whoever looks later.`);
}
