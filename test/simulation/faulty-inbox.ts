import type { Inbox, InboxEntry, InboxOutcome, Turn } from "../../src/stores/inbox.ts";
import type { Network } from "./network.ts";
import type { SimulatedProcess } from "./simulated-process.ts";

/** A handler's own writes. They become rows when the inbox remembers the success, in one step with it, or never. */
export interface Transaction<Row> {
  write(row: Row): void;
}

/**
 * An inbox at the other end of a network: taking the turn, keeping it and committing are calls that can each fail in
 * every way a call can. The work itself runs in the process, and dies with it. What is written is sent with the commit.
 */
export function faultyInbox<Row>(
  inner: Inbox<Row[]>,
  network: Network,
  process: SimulatedProcess,
): Inbox<Transaction<Row>> {
  const call = <Result>(what: string, act: () => Promise<Result>) => network.call(process, "inbox", what, act);
  return {
    async once(entry, work) {
      const begun = await call(`begin ${entry.key}`, () => beginTurn(inner, entry));
      if (begun.kind === "settled") return begun.outcome;
      const { tx, rows, close } = openTransaction<Row>();
      let isAbandoned = false;
      const abandon = () => {
        isAbandoned = true;
        close();
      };
      const extend = (ms: number) => call(`extend ${entry.key}`, () => begun.turn.extend(ms));
      try {
        await work({ tx, extend, abandon });
        if (isAbandoned) throw new Error("The work was given up before it ended.");
      } catch (error) {
        await call(`roll back ${entry.key}`, () => begun.rollBack()).catch(() => {});
        throw error;
      } finally {
        close();
      }
      return call(`commit ${entry.key}`, () => begun.commit(rows));
    },

    async without(work) {
      const { tx, rows, close } = openTransaction<Row>();
      await work(tx).finally(close);
      await call("commit", () => inner.without(async (written) => void written.push(...rows)));
    },
  };
}

/** What is written after it is closed comes to nothing, as with a handler deaf to its time limit. */
function openTransaction<Row>() {
  const rows: Row[] = [];
  let isOpen = true;
  return {
    rows,
    tx: {
      write: (row: Row) => {
        if (isOpen) rows.push(row);
      },
    },
    close: () => {
      isOpen = false;
    },
  };
}

type Begun<Row> =
  | { readonly kind: "settled"; readonly outcome: InboxOutcome }
  | {
      readonly kind: "turn";
      readonly turn: Turn<Row[]>;
      commit(rows: readonly Row[]): Promise<InboxOutcome>;
      rollBack(): Promise<void>;
    };

/** Takes `once` apart into its begin and its end, which a process asks for in two calls. */
function beginTurn<Row>(inbox: Inbox<Row[]>, entry: InboxEntry): Promise<Begun<Row>> {
  return new Promise((resolve, reject) => {
    const work = (turn: Turn<Row[]>) =>
      new Promise<void>((finish, fail) => {
        resolve({
          kind: "turn",
          turn,
          commit(rows) {
            turn.tx.push(...rows);
            finish();
            return outcome;
          },
          async rollBack() {
            fail(new Error("rolled back"));
            await outcome.catch(() => {});
          },
        });
      });
    const outcome = inbox.once(entry, work);
    outcome.then((settled) => resolve({ kind: "settled", outcome: settled }), reject);
  });
}
