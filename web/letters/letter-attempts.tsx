import { Fragment } from "react";
import { durationInWords } from "../../src/domain/duration.ts";
import { isOffPlan } from "../../src/domain/off-plan.ts";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { MomentInColumn, ZoneLabel } from "../ui/age.tsx";
import { inWords, showCount } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";

type Letter = OutputOf<"letters.get">;
type Attempt = Letter["attemptLog"][number];

/** Each attempt before the letter was given up, as far as the letter tells, and the replays between them. */
export function LetterAttempts({ letter: { attempts, attemptLog, history } }: { readonly letter: Letter }) {
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
            <Fragment key={index}>
              {attempt.replay === null || attemptLog[index - 1]?.run === attempt.run ? null : (
                <ReplayRow replay={attempt.replay} history={history} />
              )}
              <AttemptRow attempt={attempt} />
            </Fragment>
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

/** What brought the attempts below it about. */
function ReplayRow({ replay, history }: { readonly replay: string; readonly history: Letter["history"] }) {
  const sent = history.find(({ kind, replay: by }) => kind === "sent" && by?.split("/")[0] === replay);
  return (
    <tr>
      <td className="number" data-label="attempt">
        –
      </td>
      <td data-label="failed">
        <MomentInColumn at={sent?.at ?? null} />
      </td>
      <td colSpan={4}>
        replayed by <Link to={pages.replay(replay)}>{replay}</Link>
      </td>
    </tr>
  );
}

function AttemptRow({ attempt }: { readonly attempt: Attempt }) {
  const { n, at, consumer, version, process, host, outcome } = attempt;
  const where = [process, host].filter((part) => part !== null).join(" on ");
  return (
    <tr>
      <td className="number" data-label="attempt">
        {n ?? "–"}
      </td>
      <td data-label="failed">
        <MomentInColumn at={at} />
      </td>
      <td className="number" data-label="after a wait of">
        <Wait attempt={attempt} />
      </td>
      <td data-label="consumer">
        {consumer ?? "–"}
        {version === null ? "" : `@${version}`}
        {where === "" ? null : <div className="muted">{where}</div>}
      </td>
      <td data-label="error">
        <AttemptError attempt={attempt} />
      </td>
      <td data-label="outcome">{inWords(outcome)}</td>
    </tr>
  );
}

/** The time since the attempt before, and what was planned where that is something else. */
function Wait({ attempt: { waitedMs, waitMs } }: { readonly attempt: Attempt }) {
  if (waitedMs === null) return waitMs === null ? "–" : `${durationInWords(waitMs)} planned`;
  return (
    <>
      {durationInWords(waitedMs)}
      {waitMs !== null && isOffPlan({ waitedMs, waitMs }) ? (
        <div className="muted">planned: {durationInWords(waitMs)}</div>
      ) : null}
    </>
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
