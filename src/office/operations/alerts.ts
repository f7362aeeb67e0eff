import { z } from "zod";
import { OfficeError } from "../../domain/errors.ts";
import { readId, showId } from "../../domain/ids.ts";
import { type Alert, acknowledgeAlert, listFiredAlerts } from "../../ledger/alerts.ts";
import { recordAction } from "../../ledger/audit.ts";
import { alertDetails } from "../alerts/look-for-alerts.ts";
import { operation } from "./operation.ts";

const shownAlert = z.object({
  id: z.string(),
  rule: z.string(),
  /** In words. */
  sentence: z.string(),
  /** Where to look, below the office's address. */
  path: z.string(),
  source: z.string(),
  queue: z.string(),
  firedAt: z.string(),
  acknowledgedBy: z.string().nullable(),
  /** Null while it is on. */
  clearedAt: z.string().nullable(),
});

export const listAlerts = operation({
  name: "alerts.list",
  summary: "what the alert rules found: what is on first, then what is over",
  role: "viewer",
  isScoped: true,
  isShared: true,
  input: z.object({ limit: z.int().min(1).max(200).default(50) }),
  output: z.object({ items: z.array(shownAlert), next: z.null() }),
  async run({ ledger }, { limit }) {
    return { items: (await listFiredAlerts(ledger, limit)).map(shown), next: null };
  },
});

export const acknowledgeOneAlert = operation({
  name: "alerts.acknowledge",
  summary: "that somebody takes care of an alert; those who were told of it are told that too",
  role: "operator",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({ id: z.string() }),
  async run({ ledger, clock }, { id }, actor) {
    const alert = readId("alert", id);
    await ledger.database.transaction(async (transaction) => {
      const taken = await acknowledgeAlert(ledger, transaction, { id: alert, by: actor.id });
      if (taken === null)
        throw new OfficeError(
          "ALERT_NOT_FOUND",
          `No alert ${id} is on that nobody has. \`dlo alerts list\` shows them.`,
        );
      const entry = { at: clock.now(), actor, action: "alert.acknowledged", details: alertDetails(taken) };
      await recordAction(ledger, transaction, entry);
    });
    return { id };
  },
});

function shown({ id, rule, sentence, path, source, queue, firedAt, acknowledgedBy, clearedAt }: Alert) {
  return {
    ...{ id: showId("alert", id), rule, sentence, path, source, queue, acknowledgedBy },
    firedAt: new Date(firedAt ?? 0).toISOString(),
    clearedAt: clearedAt === null ? null : new Date(clearedAt).toISOString(),
  };
}
