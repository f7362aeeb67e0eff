import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { ShownChanges } from "../edit/shown-changes.tsx";
import { Link } from "../ui/link.tsx";
import type { Replay } from "./replay-words.ts";
import "../edit/edit.css";

/** What goes other than it came: whoever approves signs these bytes. */
export function ReplayEdits({ replay: { id }, after }: { readonly replay: Replay; readonly after: number }) {
  const answer = useAnswer("replays.changes", { id, after, limit: 5 });
  if (answer.data === null || answer.data.items.length === 0) return null;
  return (
    <section aria-labelledby="edits">
      <h2 id="edits">Edited letters</h2>
      {answer.data.items.map(({ n, letter, revision, changes }) => (
        <div key={n}>
          <h3>
            {n}: <Link to={pages.edit(letter)}>{letter}</Link>, revision {revision}
          </h3>
          <ShownChanges changes={changes} />
        </div>
      ))}
      {answer.data.next === null ? null : (
        <Link to={pages.replay(id, { edited: String(answer.data.next) })}>More edited letters</Link>
      )}
    </section>
  );
}
