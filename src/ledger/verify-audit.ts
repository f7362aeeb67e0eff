import { createHash } from "node:crypto";
import { hexOf } from "../domain/ids.ts";
import type { Ledger } from "./ledger.ts";

/** A place in the chain: the how-manieth entry, and the hash up to it. */
export interface AuditLink {
  readonly n: number;
  readonly hash: string;
}

export interface AuditProof {
  readonly entries: number;
  readonly head: AuditLink;
  /** What is wrong, in a sentence; null where all is well. */
  readonly problem: string | null;
}

const start = createHash("sha256").update("dead-letter-office audit log, version 1").digest();
const pageSize = 1_000;

/**
 * Goes through the whole log and computes every hash again. An entry that was changed, taken out, put elsewhere or added
 * breaks the chain where it is. Only the end can be cut unseen, together with the head: against that there is the anchor, a
 * link that was written down somewhere else.
 */
export async function verifyAudit(ledger: Ledger, anchor: AuditLink | null): Promise<AuditProof> {
  let link = { n: 0, hash: start };
  let anchored = anchor === null || (anchor.n === 0 && anchor.hash === hexOf(start));
  const head = await readHead(ledger);
  for (;;) {
    const rows = await entriesAfter(ledger, link.n, head.n);
    if (rows.length === 0) break;
    for (const { n, entry, hash } of rows) {
      const wanted = createHash("sha256").update(link.hash).update(entry).digest();
      if (n !== link.n + 1) return broken(link, head, `Entry ${link.n + 1} is missing: after ${link.n} comes ${n}.`);
      if (Buffer.compare(wanted, hash) !== 0)
        return broken(link, head, `Entry ${n} is not what was written: its hash does not follow from the one before.`);
      link = { n, hash: wanted };
      if (anchor !== null && n === anchor.n && hexOf(wanted) === anchor.hash) anchored = true;
    }
  }
  if (link.n !== head.n || hexOf(link.hash) !== head.hash)
    return broken(
      link,
      head,
      `The log ends at entry ${link.n}, but its head is at ${head.n}: the end was cut or replaced.`,
    );
  if (!anchored)
    return broken(
      link,
      head,
      `The anchor at entry ${anchor?.n} is not in this log: it was cut, or written anew from there.`,
    );
  return { entries: link.n, head, problem: null };
}

function broken(link: { readonly n: number }, head: AuditLink, problem: string): AuditProof {
  return { entries: link.n, head, problem };
}

async function readHead({ database, at }: Ledger): Promise<AuditLink> {
  const { rows } = await database.query<{ n: string; hash: Uint8Array }>(`select n, hash from ${at}.audit_head`, []);
  const [row] = rows;
  return row === undefined ? { n: -1, hash: "" } : { n: Number(row.n), hash: hexOf(row.hash) };
}

/** Up to the head as it was at first: more may be written meanwhile. */
async function entriesAfter(
  { database, at }: Ledger,
  n: number,
  upTo: number,
): Promise<readonly { readonly n: number; readonly entry: Uint8Array; readonly hash: Uint8Array }[]> {
  const { rows } = await database.query<{ n: string; entry: Uint8Array; hash: Uint8Array }>(
    `select n, entry, hash from ${at}.audit_log where n > $1 and n <= $2 order by n limit ${pageSize}`,
    [n, upTo],
  );
  return rows.map((row) => ({ ...row, n: Number(row.n) }));
}
