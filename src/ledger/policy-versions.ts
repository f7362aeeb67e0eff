import type { Queries } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";
import { hexOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** A policy as it was put in force. */
export interface KeptPolicy {
  /** Counting from 1. */
  readonly version: number;
  /** Hexadecimal. */
  readonly hash: string;
  /** As it was written. */
  readonly text: string;
  readonly appliedBy: string;
  /** Milliseconds since 1970. */
  readonly appliedAt: number;
}

interface Row {
  readonly version: number;
  readonly hash: Uint8Array;
  readonly document: Uint8Array;
  readonly actor: string;
  readonly applied_at: Date;
}

/** 0 while nobody has applied a policy. */
export async function latestPolicyVersion({ at }: Ledger, queries: Queries): Promise<number> {
  const { rows } = await queries.query<{ version: number }>(
    `select coalesce(max(version), 0) as version from ${at}.policy_versions`,
    [],
  );
  return rows[0]?.version ?? 0;
}

export async function readPolicyVersion({ at }: Ledger, queries: Queries, version: number): Promise<KeptPolicy> {
  const { rows } = await queries.query<Row>(
    `select version, hash, document, actor, applied_at from ${at}.policy_versions where version = $1`,
    [version],
  );
  const [row] = rows;
  if (row === undefined) {
    throw new OfficeError(
      "POLICY_NOT_FOUND",
      `There is no version ${version} of the policy. See \`dlo policy history\`.`,
    );
  }
  return keptPolicy(row);
}

function keptPolicy({ version, hash, document, actor, applied_at: at }: Row): KeptPolicy {
  const text = Buffer.from(document).toString();
  return { version, hash: hexOf(hash), text, appliedBy: actor, appliedAt: at.getTime() };
}

const alreadyThere = "23505";

/** Versions are only added. Refuses a number that is taken: somebody else was quicker, and had not seen this one. */
export async function insertPolicyVersion(
  { at }: Ledger,
  queries: Queries,
  { version, hash, text, appliedBy }: Omit<KeptPolicy, "appliedAt">,
): Promise<void> {
  try {
    await queries.query(`insert into ${at}.policy_versions (version, hash, document, actor) values ($1, $2, $3, $4)`, [
      version,
      Buffer.from(hash, "hex"),
      Buffer.from(text),
      appliedBy,
    ]);
  } catch (error) {
    if (!hasCode(error, alreadyThere)) throw error;
    throw new OfficeError(
      "POLICY_CHANGED",
      `Somebody else applied version ${version} of the policy meanwhile. Look at it (\`dlo policy diff FILE\`), then apply yours again.`,
      { cause: error },
    );
  }
}
/** Newest first. */
export async function listPolicyVersions({ at, database }: Ledger, limit: number): Promise<readonly KeptPolicy[]> {
  const { rows } = await database.query<Row>(
    `select version, hash, document, actor, applied_at from ${at}.policy_versions order by version desc limit $1`,
    [limit],
  );
  return rows.map(keptPolicy);
}
