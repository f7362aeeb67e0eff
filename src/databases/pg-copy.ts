import type { Connection, PoolClient, Submittable } from "pg";
import type { TableRows } from "../domain/database.ts";

/** More than this in one piece the protocol cannot say. */
const pieceBytes = 1 << 30;
const copyData = 0x64;

/** What the driver calls on a statement of its own making, as far as COPY makes it; its types leave most of it out. */
interface CopyStatement extends Submittable {
  /** The driver's own, to stop its stopwatch by. */
  callback?: (error: Error | null) => void;
  handleCopyInResponse(): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

interface CopyConnection extends Connection {
  query(text: string): void;
  endCopyFrom(): void;
}

/** Runs a `copy … from stdin` for each table, with all bytes at hand: no stream, and so no package for one. */
export function copyIn(client: PoolClient, tables: readonly TableRows[]): Promise<void> {
  if (tables.length === 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    client.query(statement(tables, (error) => (error === null ? resolve() : reject(error))));
  });
}

function statement(tables: readonly TableRows[], ended: (error: Error | null) => void): CopyStatement {
  let failure: Error | null = null;
  const self: CopyStatement = {
    submit: (connection) => send(connection as CopyConnection, tables),
    handleCopyInResponse() {},
    handleCommandComplete() {},
    // A lost connection is told here as well, and then nothing more follows.
    handleError(error) {
      failure = error;
      self.callback?.(error);
      ended(error);
    },
    handleReadyForQuery() {
      if (failure !== null) return;
      self.callback?.(null);
      ended(null);
    },
  };
  return self;
}

/**
 * All at once, without waiting for the server to ask for rows: it takes them in order, and drops those of a copy that it
 * refused. Each wait would last until whatever else this process computes lets it look at its sockets again.
 */
function send(connection: CopyConnection, tables: readonly TableRows[]): void {
  connection.query(tables.map(({ target }) => `copy ${target} from stdin (format binary)`).join("; "));
  for (const { rows } of tables) {
    for (let start = 0; start < rows.byteLength; start += pieceBytes) {
      sendPiece(connection, rows.subarray(start, start + pieceBytes));
    }
    connection.endCopyFrom();
  }
}

/** The driver's own way copies every byte once more. */
function sendPiece({ stream }: CopyConnection, piece: Uint8Array): void {
  const head = Buffer.allocUnsafe(5);
  head.writeUInt8(copyData, 0);
  head.writeInt32BE(piece.byteLength + 4, 1);
  stream.write(head);
  stream.write(piece);
}
