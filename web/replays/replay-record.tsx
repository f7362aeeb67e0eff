import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { MomentInColumn, ZoneLabel } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";
import type { Replay } from "./replay-words.ts";

/** Who did what with it, in the order in which it was done; nothing here is ever taken away. */
export function ReplayRecord({ replay: { id, nextStep } }: { readonly replay: Replay }) {
  const answer = useAnswer("replays.history", { id });
  return (
    <section aria-labelledby="record">
      <h2 id="record">
        Record <ZoneLabel />
      </h2>
      <Trouble answer={answer} />
      <ol className="history">
        {answer.data?.items.map(({ n, at, text }) => (
          <li key={n}>
            <MomentInColumn at={at} /> {text}
          </li>
        ))}
      </ol>
      <p>
        <Link to={pages.audit({ about: id })}>All that the audit log has of it</Link>
      </p>
      <CommandLine command={nextStep.command ?? `dlo replay show ${id}`} />
    </section>
  );
}
