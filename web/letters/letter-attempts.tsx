import { durationInWords } from "../../src/domain/duration.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { MomentInColumn, ZoneLabel } from "../ui/age.tsx";
import { inWords, showCount } from "../ui/counts.ts";

type Letter = OutputOf<"letters.get">;
type Attempt = Letter["attemptLog"][number];

/** Each run of the handler before the letter was given up, as far as the letter tells. */
export function LetterAttempts({ letter: { attempts, attemptLog } }: { readonly letter: Letter }) {
  if (attemptLog.length === 0) return null;
  const isPartial = attempts !== null && attempts > attemptLog.length;
  return (
    <section aria-labelledby="attempts">
      <h2 id="attempts">
        Attempts <ZoneLabel />
      </h2>
      <table className="rows attempts">
        <caption className="unseen">Attempts, oldest first</caption>
        <thead>
          <tr>
            <th scope="col" className="number">
              Attempt
            </th>
            <th scope="col">Failed</th>
            <th scope="col" className="number">
              After a wait of
            </th>
            <th scope="col">Consumer</th>
            <th scope="col">Error</th>
            <th scope="col">Outcome</th>
          </tr>
        </thead>
        <tbody>
          {attemptLog.map((attempt, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: attempts are never put in another order, and some have no number.
            <AttemptRow key={index} attempt={attempt} />
          ))}
        </tbody>
      </table>
      {isPartial ? (
        <p className="muted">
          The letter tells of {showCount(attemptLog.length)} of its {showCount(attempts)} attempts.
        </p>
      ) : null}
    </section>
  );
}

function AttemptRow({ attempt }: { readonly attempt: Attempt }) {
  const { n, at, waitMs, consumer, version, process, outcome } = attempt;
  return (
    <tr>
      <td className="number" data-label="attempt">
        {n ?? "–"}
      </td>
      <td data-label="failed">
        <MomentInColumn at={at} />
      </td>
      <td className="number" data-label="after a wait of">
        {waitMs === null ? "–" : durationInWords(waitMs)}
      </td>
      <td data-label="consumer">
        {consumer ?? "–"}
        {version === null ? "" : `@${version}`}
        {process === null ? null : <div className="muted">{process}</div>}
      </td>
      <td data-label="error">
        <AttemptError attempt={attempt} />
      </td>
      <td data-label="outcome">{inWords(outcome)}</td>
    </tr>
  );
}

function AttemptError({ attempt }: { readonly attempt: Attempt }) {
  const { errorClass, errorMessage, errorCode, httpStatus } = attempt;
  const error = [errorClass, errorMessage].filter((part) => part !== null).join(": ");
  const code = [errorCode, httpStatus === null ? null : `HTTP ${httpStatus}`]
    .filter((part) => part !== null)
    .join(", ");
  return (
    <>
      {code === "" ? null : <b>{code} </b>}
      {error === "" && code === "" ? "–" : error}
    </>
  );
}
