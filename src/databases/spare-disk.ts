import type { Database, Queries, TableRows, Transaction } from "../domain/database.ts";
import { OfficeError } from "../domain/errors.ts";
import { hasCode } from "../domain/has-code.ts";

export interface Disk {
  /** What is on it, in words. */
  readonly folder: string;
  /** Bytes that may still be written. */
  free(): number;
}

/**
 * With less than this, in bytes, the embedded ledger takes nothing more. Its log of changes grows by 16 MB at once, and where
 * that fails PGlite tries for ever without letting go of the process: it must not come to that.
 */
export const spareBytes = 32 * 2 ** 20;
/** What is written lies in the log of changes, in its table, and in what finds it there. */
const timesWritten = 3;
/** Less than this, in bytes, is what the spare room is for. */
const largeBytes = 2 ** 20;
const readOnlyTransaction = "25006";

/** A PGlite's database that is read, and not written to, while its disk is nearly full; by itself as before when there is room. */
export function sparingDisk<Client>(database: Database<Client>, disk: Disk): Database<Client> {
  let isShut = false;
  const look = async () => {
    const isShort = disk.free() < spareBytes;
    if (isShort === isShut) return;
    isShut = isShort;
    await database.query(`set default_transaction_read_only = ${isShort ? "on" : "off"}`);
  };
  const requireRoom = (bytes: number) => {
    if (bytes >= largeBytes && disk.free() < spareBytes + timesWritten * bytes) throw full(disk, bytes);
  };
  const explained = (error: unknown) => {
    throw isShut && hasCode(error, readOnlyTransaction) ? full(disk, 0, error) : error;
  };
  const queries = (of: Queries): Queries["query"] => {
    return async (text, values) => {
      requireRoom(bytesOf(values));
      return of.query(text, values);
    };
  };
  const inTransaction = (opened: Transaction<Client>): Transaction<Client> => ({
    client: opened.client,
    get busy() {
      return opened.busy;
    },
    query: queries(opened),
    async copyIn(...tables: readonly TableRows[]) {
      requireRoom(tables.reduce((sum, { rows }) => sum + rows.byteLength, 0));
      return opened.copyIn(...tables);
    },
    discard: () => opened.discard(),
  });
  return {
    ...database,
    async query(text, values) {
      await look();
      return queries(database)<never>(text, values).catch(explained);
    },
    async transaction(run) {
      await look();
      return database.transaction((opened) => run(inTransaction(opened))).catch(explained);
    },
  };
}

/** Of what is large in them: text and bytes. */
function bytesOf(values: readonly unknown[] = []): number {
  return values.reduce<number>((sum, value) => {
    if (typeof value === "string") return sum + value.length;
    if (value instanceof Uint8Array) return sum + value.byteLength;
    return Array.isArray(value) ? sum + bytesOf(value) : sum;
  }, 0);
}

function full({ folder, free }: Disk, bytes: number, cause?: unknown): OfficeError {
  const needed = megabytes(spareBytes + timesWritten * bytes);
  return new OfficeError(
    "STORE_UNAVAILABLE",
    `The disk of the embedded ledger in ${folder} is full: ${megabytes(free())} MB are free, and writing needs ${needed} MB. Nothing was changed.`,
    { cause, details: { hint: "Make room on that disk: it goes on by itself. What it has can be read meanwhile." } },
  );
}

function megabytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}
