import { OfficeError } from "../domain/errors.ts";

/** A driver's client, lent to somebody for as long as one transaction is open. */
export interface Loan<Client> {
  /** The client itself as far as anybody can tell, until the loan ends. */
  readonly client: Client;
  /** Whether something asked through it is not answered yet. */
  isBusy(): boolean;
  end(): void;
}

export interface LoanTerms {
  /** Methods that reach the database: refused once the loan has ended. */
  readonly refused: readonly string[];
  /** Methods that are the lender's alone: calling them does nothing. */
  readonly kept?: readonly string[];
}

/**
 * Lends a client out.
 *
 * A handler may go on after its transaction is over: it is deaf to its time limit, or one of its branches failed and the
 * others were not awaited. Its next write would land in whatever transaction has the connection by then.
 */
export function lend<Client extends object>(client: Client, { refused, kept = [] }: LoanTerms): Loan<Client> {
  let over = false;
  let unanswered = 0;
  const answered = () => {
    unanswered -= 1;
  };
  const lent = new Proxy(client, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function") return value;
      if (kept.includes(String(name))) return () => {};
      if (!refused.includes(String(name))) return value.bind(target) as unknown;
      return (...given: unknown[]) => {
        if (over) throw transactionOver();
        const answer: unknown = Reflect.apply(value, target, given);
        if (answer instanceof Promise) {
          unanswered += 1;
          answer.then(answered, answered);
        }
        return answer;
      };
    },
  });
  return {
    client: lent,
    isBusy: () => unanswered > 0,
    end: () => {
      over = true;
    },
  };
}

function transactionOver(): OfficeError {
  return new OfficeError(
    "TRANSACTION_OVER",
    "This transaction has ended: its handler returned, threw or ran out of time. Await everything that uses `tx`.",
  );
}

/** For a transaction that the database ended by itself, or that was ended behind our back. */
export function nothingCommitted(): OfficeError {
  return new OfficeError(
    "TRANSACTION_OVER",
    "The transaction could not be committed: a statement in it had failed, or it was ended by hand. Nothing of it is kept.",
  );
}
