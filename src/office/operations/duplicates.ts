import { z } from "zod";
import { acceptanceGrounds } from "../../domain/acceptance-grounds.ts";
import { isInScope } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { makeId } from "../../domain/ids.ts";
import { recordAction } from "../../ledger/audit.ts";
import { insertAcceptance, listAcceptances, revokeAcceptance } from "../../ledger/duplicate-acceptances.ts";
import { type Office, operation } from "./operation.ts";

const name = z.string().min(1).max(512);
const place = { source: name, queue: name };

const acceptance = z.object({
  ...{ source: z.string(), queue: z.string() },
  /** "handled": consumers there handle duplicates. "harmless": duplicates do no harm there. */
  because: z.enum(acceptanceGrounds),
  reason: z.string(),
  by: z.string(),
  at: z.string(),
  /** Null while it holds. */
  revokedBy: z.string().nullable(),
  revokedAt: z.string().nullable(),
});

export const listDuplicates = operation({
  name: "queues.duplicates",
  summary: "queues in which a person accepts duplicates, with those that were revoked",
  role: "viewer",
  isScoped: true,
  input: z.object({
    /** Both, or neither: then of all queues. */
    source: name.nullable().default(null),
    queue: name.nullable().default(null),
    limit: z.int().min(1).max(200).default(50),
  }),
  output: z.object({ items: z.array(acceptance), next: z.null() }),
  async run({ ledger }, { source, queue, limit }) {
    const one = source === null || queue === null ? null : { source, queue };
    return { items: [...(await listAcceptances(ledger, { place: one, limit }))], next: null };
  },
});

export const acceptDuplicates = operation({
  name: "queues.acceptDuplicates",
  summary: "accepts that duplicates in a queue are not recognized, until that is revoked",
  role: "operator",
  isScoped: true,
  input: z.object({ ...place, because: z.enum(acceptanceGrounds), reason: z.string().trim().min(1).max(500) }),
  output: acceptance,
  async run(office, { source, queue, because, reason }, actor) {
    const { ledger, clock, newId } = office;
    requireSeen(office, source, queue);
    const now = clock.now();
    await ledger.database.transaction(async (transaction) => {
      const said = { source, queue, because, reason, by: actor.id };
      if (!(await insertAcceptance(ledger, transaction, makeId(now, newId()), said))) {
        const text = `Duplicates in ${source}/${queue} are accepted already. \`dlo queues show\` says by whom.`;
        throw new OfficeError("INVALID_OPTION", text, { details: { source, queue } });
      }
      const details = { source, queue, because, reason };
      await recordAction(ledger, transaction, { at: now, actor, action: "duplicates.accepted", details });
    });
    return latestOf(office, source, queue);
  },
});

export const revokeDuplicates = operation({
  name: "queues.revokeDuplicates",
  summary: "no longer accepts duplicates in a queue",
  role: "operator",
  isScoped: true,
  input: z.object({ ...place, reason: z.string().trim().max(500).default("") }),
  output: acceptance,
  async run(office, { source, queue, reason }, actor) {
    const { ledger, clock } = office;
    requireSeen(office, source, queue);
    await ledger.database.transaction(async (transaction) => {
      if (!(await revokeAcceptance(ledger, transaction, { source, queue, by: actor.id }))) {
        const text = `Duplicates in ${source}/${queue} are not accepted, so there is nothing to revoke.`;
        throw new OfficeError("QUEUE_NOT_FOUND", text, { details: { source, queue } });
      }
      const details = { source, queue, reason };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "duplicates.revoked", details });
    });
    return latestOf(office, source, queue);
  },
});

function requireSeen({ ledger }: Office, source: string, queue: string): void {
  if (isInScope(ledger.scope, source, queue)) return;
  throw new OfficeError("QUEUE_NOT_FOUND", `There is no queue ${source}/${queue}.`, { details: { source, queue } });
}

async function latestOf({ ledger }: Office, source: string, queue: string): Promise<z.input<typeof acceptance>> {
  const [latest] = await listAcceptances(ledger, { place: { source, queue }, limit: 1 });
  if (latest === undefined) throw new OfficeError("QUEUE_NOT_FOUND", `There is no queue ${source}/${queue}.`);
  return latest;
}
