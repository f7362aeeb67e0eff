import type { ReactNode } from "react";
import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { MomentInColumn, ZoneLabel } from "../ui/age.tsx";
import { inWords } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { decided, saidIn } from "./letter-steps.tsx";

type Letter = OutputOf<"letters.get">;

interface Moment {
  readonly at: string;
  readonly key: string;
  readonly what: ReactNode;
}

/** One line of time: how it failed, what it was taken for, and all that was done with it since. */
export function LetterHistory({ letter }: { readonly letter: Letter }) {
  const moments = [
    ...before(letter),
    ...classifications(letter),
    ...since(letter),
    ...decisions(letter),
    ...tags(letter),
  ];
  return (
    <section aria-labelledby="history">
      <h2 id="history">
        History <ZoneLabel />
      </h2>
      <ol className="history">
        {moments
          .toSorted((one, other) => one.at.localeCompare(other.at))
          .map(({ at, key, what }) => (
            <li key={key}>
              <MomentInColumn at={at} /> {what}
            </li>
          ))}
      </ol>
    </section>
  );
}

function before({ enqueuedAt, failedAt, failedAtBy, attempts, arrivedAt, drainedFrom, attemptLog }: Letter) {
  const times = attempts === null ? "" : ` after ${attempts} ${attempts === 1 ? "attempt" : "attempts"}`;
  const earlier = attemptLog.slice(0, -1).flatMap(({ n, at, errorCode, errorClass }, index): readonly Moment[] => {
    const error = errorCode ?? errorClass;
    const what = `${n === null ? "failed" : `attempt ${n} failed`}${error === null ? "" : `: ${error}`}`;
    return at === null ? [] : [{ at, key: `a${index}`, what }];
  });
  const moments: (Moment | null)[] = [
    enqueuedAt === null ? null : { at: enqueuedAt, key: "enqueued", what: "first sent" },
    ...earlier,
    failedAtBy === "arrival" ? null : { at: failedAt, key: "failed", what: `given up${times}` },
    { at: arrivedAt, key: "arrived", what: `came here from ${drainedFrom}` },
  ];
  return moments.filter((moment) => moment !== null);
}

function classifications({ classifications: all }: Letter): readonly Moment[] {
  return all.map(({ n, at, category, rule, by, why }) => ({
    at,
    key: `c${n}`,
    what: (
      <span title={why}>
        {n === 1 ? "taken for" : "from now on"} <b>{inWords(category)}</b> ({rule}){by === null ? "" : ` by ${by}`}
      </span>
    ),
  }));
}

function decisions({ decision }: Letter): readonly Moment[] {
  if (decision === null) return [];
  const what = `${decided(decision).toLowerCase()} by ${decision.by}${saidIn(decision)}`;
  return [{ at: decision.at, key: "decision", what }];
}

function tags({ tagHistory }: Letter): readonly Moment[] {
  return tagHistory.map(({ at, change, tags: words, by, reason, of }, index) => ({
    at,
    key: `t${index}`,
    what: (
      <>
        {change === "tagged" ? "tagged" : "tag taken off"} <b>{words.join(", ")}</b>
        {of === "group" ? ", with its group," : ""} by {by}
        {reason === null ? "" : `: ${reason}`}
      </>
    ),
  }));
}

function since({ history }: Letter): readonly Moment[] {
  return history.map((past) => ({ at: past.at, key: `h${past.n}`, what: <Past past={past} /> }));
}

function Past({ past: { kind, replay, errorClass, errorMessage } }: { readonly past: Letter["history"][number] }) {
  const error = [errorClass, errorMessage].filter((part) => part !== null).join(": ");
  // With the how-manieth message of it that this was.
  const [id = ""] = replay?.split("/") ?? [];
  return (
    <>
      {inWords(kind)} {id.startsWith("rpl_") ? <Link to={pages.replay(id)}>{replay}</Link> : replay}
      {error === "" ? "" : ` · ${error}`}
    </>
  );
}
