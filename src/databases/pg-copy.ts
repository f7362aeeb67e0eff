import type { Connection, PoolClient, Submittable } from "pg";

/** A larger piece would keep the connection from writing until it is all copied. */
const pieceBytes = 1 << 20;

/** What the driver calls on a statement of its own making, as far as COPY makes it; its types leave most of it out. */
interface CopyStatement extends Submittable {
  /** The driver's own, to stop its stopwatch by. */
  callback?: (error: Error | null) => void;
  handleCopyInResponse(connection: CopyConnection): void;
  handleCommandComplete(): void;
  handleReadyForQuery(): void;
  handleError(error: Error): void;
}

interface CopyConnection extends Connection {
  query(text: string): void;
  sendCopyFromChunk(chunk: Uint8Array): void;
  endCopyFrom(): void;
}

/** Runs a `copy … from stdin` with all of its bytes at hand: no stream, and so no package for one. */
export function copyIn(client: PoolClient, text: string, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(statement(text, bytes, (error) => (error === null ? resolve() : reject(error))));
  });
}

function statement(text: string, bytes: Uint8Array, ended: (error: Error | null) => void): CopyStatement {
  let failure: Error | null = null;
  const self: CopyStatement = {
    submit: (connection) => (connection as CopyConnection).query(text),
    handleCopyInResponse(connection) {
      for (let start = 0; start < bytes.byteLength; start += pieceBytes) {
        connection.sendCopyFromChunk(bytes.subarray(start, start + pieceBytes));
      }
      connection.endCopyFrom();
    },
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
