import { z } from "zod";
import { type Actor, scopeOf } from "../../domain/actor.ts";
import { OfficeError } from "../../domain/errors.ts";
import { recordAction } from "../../ledger/audit.ts";
import { lockPerson } from "../../ledger/people/people.ts";
import { addToken, listTokens, revokeToken } from "../../ledger/people/tokens.ts";
import { digestOf } from "../people/digest.ts";
import { suspendsAt } from "../people/suspensions.ts";
import { makeToken } from "../people/tokens.ts";
import { operation } from "./operation.ts";

const dayMs = 86_400_000;

const tokenShape = z.object({
  id: z.string(),
  owner: z.string(),
  name: z.string(),
  operations: z.array(z.string()).nullable(),
  queues: z.array(z.string()).nullable(),
  madeAt: z.string(),
  expiresAt: z.string(),
  usedAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  /** Unless its owner signs in before; null for never. */
  suspendsAt: z.string().nullable(),
});

export const listOwnTokens = operation({
  name: "tokens.list",
  summary: "your tokens; an admin sees everybody's",
  role: "viewer",
  isScoped: true,
  input: z.object({}),
  output: z.object({ items: z.array(tokenShape), next: z.null() }),
  async run({ ledger, replay }, _input, actor) {
    const tokens = await listTokens(ledger, isAdmin(actor) ? null : actor.id);
    const { suspendTokensAfterMs } = await replay.policy();
    const items = tokens.map(({ operations, queues, unseenSince, ...token }) => ({
      ...token,
      suspendsAt: suspendsAt(unseenSince, suspendTokensAfterMs)?.toISOString() ?? null,
      operations: operations && [...operations],
      queues: queues && [...queues],
    }));
    return { items, next: null };
  },
});

export const makeOwnToken = operation({
  name: "tokens.make",
  summary: "a token for a program that acts for you; it is shown this once",
  role: "viewer",
  isScoped: true,
  inPerson: true,
  isSecret: true,
  input: z.object({
    name: z.string().trim().min(1).max(100),
    days: z.int().min(1).max(366).default(90),
    operations: z.array(z.string()).min(1).nullable().default(null),
    /** `source/queue`; `*` stands for any characters. Null: wherever its owner may. */
    queues: z.array(z.string().min(1)).min(1).max(200).nullable().default(null),
    for: z.string().nullable().default(null),
  }),
  output: z.object({ id: z.string(), token: z.string(), expiresAt: z.string() }),
  run: ({ ledger, clock, newSecret }, { name, days, operations, queues, for: agent }, actor) =>
    ledger.database.transaction(async (transaction) => {
      const owner = agent ?? actor.id;
      if (owner !== actor.id) {
        const person = isAdmin(actor) ? await lockPerson(ledger, transaction, owner) : null;
        if (person?.kind !== "agent")
          throw new OfficeError("NOT_ALLOWED", "Tokens of others are made by themselves; those of agents by an admin.");
      }
      const { id, token } = makeToken(newSecret);
      const made = { id, digest: digestOf(token), owner, name, operations, queues, lastsMs: days * dayMs };
      const expiresAt = await addToken(ledger, transaction, made);
      const details = { token: id, owner, name, operations, queues, expiresAt };
      await recordAction(ledger, transaction, { at: clock.now(), actor, action: "tokens.made", details });
      return { id, token, expiresAt };
    }),
});

export const revokeTokenById = operation({
  name: "tokens.revoke",
  summary: "ends a token at once",
  role: "viewer",
  isScoped: true,
  input: z.object({ id: z.string() }),
  output: z.object({ id: z.string() }),
  run: ({ ledger, clock }, { id }, actor) =>
    ledger.database.transaction(async (transaction) => {
      if (!(await revokeToken(ledger, transaction, { id, owner: isAdmin(actor) ? null : actor.id })))
        throw new OfficeError("TOKEN_NOT_FOUND", `There is no token ${id} of yours.`);
      await recordAction(ledger, transaction, {
        at: clock.now(),
        actor,
        action: "tokens.revoked",
        details: { token: id },
      });
      return { id };
    }),
});

/** Of the whole office: tokens are not of a queue. */
function isAdmin(actor: Actor): boolean {
  return actor.roles.includes("admin") && scopeOf(actor, "admin").length === 0;
}
