/**
 * The little of a PostgreSQL client that the library needs. Adapters for `pg` and PGlite are in src/databases;
 * both pass `databaseContract` (testing). Nothing else imports a driver.
 */
export interface Queries {
  /**
   * Rows as the driver gives them, except that bigint is a string and bytea a Uint8Array, whichever driver it is.
   * Without `values` the text may hold several statements; the result is that of the last.
   */
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<QueryResult<Row>>;
}

export interface QueryResult<Row> {
  readonly rows: Row[];
  /** Rows inserted, updated, deleted or returned. */
  readonly count: number;
}

/** Rows for a table. */
export interface TableRows {
  /** The table with its columns: `dlo.letters (id, queue)`. */
  readonly target: string;
  /** In PostgreSQL's binary COPY format. */
  readonly rows: Uint8Array;
}

/** One transaction while it is open. `Client` is the driver's own handle, for code that wants the driver itself. */
export interface Transaction<Client = unknown> extends Queries {
  readonly client: Client;
  /** Writes rows by COPY, which is the quickest way in: table after table, and in one journey to the server. */
  copyIn(...tables: readonly TableRows[]): Promise<void>;
  /** A statement is under way, whoever asked for it; another would wait for its end. */
  readonly busy: boolean;
  /**
   * Never lets this connection be used again once the transaction ends.
   *
   * For a transaction that was given up while somebody may still hold `client`: without it, a handler deaf to its
   * time limit would go on writing into the next stranger's transaction.
   */
  discard(): void;
}

export interface Database<Client = unknown> extends Queries {
  /** Commits when `run` resolves, rolls back when it rejects; rejects as `run` did. */
  transaction<Result>(run: (transaction: Transaction<Client>) => Promise<Result>): Promise<Result>;
  /**
   * Calls `wake` soon after each notification on the channel, where the connection can do that. Only a hint: some may be
   * lost, and behind a pooler in transaction mode all are. Resolves to a function that stops listening. A channel's name
   * is made of small letters, digits and underscores.
   */
  listen?(channel: string, wake: () => void): Promise<() => Promise<void>>;
  /** One connection for all: transactions run one after the other, and a query outside waits for the one that is open. */
  readonly serial: boolean;
}

/** A name as it stands in a statement, whatever characters it has. */
export function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
