import type { Database, Queries } from "../../src/domain/database.ts";

interface Counted {
  readonly database: Database;
  /** How many statements, begin and commit not included. */
  readonly asked: () => number;
  /** How many transactions. */
  readonly begun: () => number;
}

/** Counts what is asked of the database. */
export function counted(database: Database): Counted {
  let asked = 0;
  let begun = 0;
  const counting = <Asked extends Queries>(queries: Asked): Asked =>
    new Proxy(queries, {
      get(target, name) {
        if (name === "query") asked += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === "function" ? (value.bind(target) as unknown) : value;
      },
    });
  const transaction: Database["transaction"] = (run) => {
    begun += 1;
    return database.transaction((opened) => run(counting(opened)));
  };
  // Each question asks for the function once more.
  const query: Database["query"] = (...of) => counting(database).query(...of);
  return { database: { ...database, transaction, query }, asked: () => asked, begun: () => begun };
}
