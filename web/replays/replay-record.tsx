import { CommandLine } from "../ui/command-line.tsx";
import type { Replay } from "./replay-words.ts";

/** Who said what, in the order in which it was said; nothing here is ever taken away. */
export function ReplayRecord({ replay }: { readonly replay: Replay }) {
  const { id, nextStep } = replay;
  return (
    <section aria-labelledby="record">
      <h2 id="record">Record</h2>
      <ol className="history">
        {momentsOf(replay).map(([at, words]) => (
          <li key={`${at} ${words}`}>
            <time dateTime={at}>{at.replace("T", " ").slice(0, 19)}</time> {words}
          </li>
        ))}
      </ol>
      <CommandLine command={nextStep.command ?? `dlo replay show ${id}`} />
    </section>
  );
}

function momentsOf(replay: Replay): readonly (readonly [string, string])[] {
  const { frozenAt, requestedBy, reason, approvals, startedAt, startedBy, endedAt, state, verdict } = replay;
  return [
    [frozenAt, `planned by ${requestedBy}${reason === null ? "" : `, asked: ${reason}`}`],
    ...approvals.map(({ at, actor, verdict: said, reason: why, brokeGlass }): readonly [string, string] => [
      at,
      `${brokeGlass ? "glass broken" : said} by ${actor}${why === null || why === "" ? "" : `: ${why}`}`,
    ]),
    ...(startedAt === null ? [] : [[startedAt, `started by ${startedBy ?? "somebody"}`] as const]),
    ...(endedAt === null ? [] : [[endedAt, verdict === null ? state : `${state} ${verdict}`] as const]),
  ];
}
