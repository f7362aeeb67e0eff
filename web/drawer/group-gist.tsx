import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { AttentionWords } from "../inbox/attend.tsx";
import type { Group } from "../inbox/group-steps.tsx";
import { WhySo } from "../inbox/why-so.tsx";
import { errorOf } from "../letters/letter-cells.tsx";
import { Ago, Lasting, PastTtl } from "../ui/age.tsx";
import { CategoryChip } from "../ui/category-chip.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount, showLetters } from "../ui/counts.ts";
import { Link } from "../ui/link.tsx";
import { Trouble } from "../ui/notice.tsx";

/** As many as say what the others are like. */
const [newest, mostCommon] = [5, 5];

/** What it is, why, what may be done next, and what its letters share: enough to go on to the next, or to open it. */
export function GroupGist({ id }: { readonly id: string }) {
  const answer = useAnswer("groups.get", { id });
  const common = useAnswer("groups.common", { id }, null);
  const letters = useAnswer("letters.list", { q: `group:${id}`, limit: newest });
  const group = answer.data;
  return (
    <>
      <h2 id="peeked" aria-live="polite">
        {group?.title ?? "Group"}
      </h2>
      <Trouble answer={answer} />
      {group === null ? null : <GroupInShort group={group} />}
      <CommonInShort common={common.data} />
      <NewestLetters letters={letters.data?.items ?? []} />
      <CommandLine command={`dlo groups show ${id}`} />
    </>
  );
}

function GroupInShort({ group }: { readonly group: Group }) {
  const { id, category, source, queue, open, total, oldestOpenAt, lastFailedAt, nextStep, attention } = group;
  const isPlan = nextStep.code === "replay.plan" || nextStep.code === "replay.trial";
  return (
    <>
      <p>
        <CategoryChip category={category} />{" "}
        <Link to={pages.queue(source, queue)}>
          {source}/{queue}
        </Link>
      </p>
      <p>
        <b>{showCount(open)}</b> open of {showLetters(total)}, the oldest for <Lasting since={oldestOpenAt} />, the last
        failed <Ago since={lastFailedAt} />. <AttentionWords attention={attention} />
      </p>
      <WhySo group={group} />
      <h3>Next: {nextStep.label}</h3>
      <p>{nextStep.sentence}</p>
      {nextStep.change === "" ? null : <p className="change">{nextStep.change}</p>}
      {isPlan && open > 0 ? (
        <Link to={pages.plan({ group: id })} look="first">
          Plan a replay of {showLetters(open)}
        </Link>
      ) : null}
    </>
  );
}

/** What tells them from others first, as the group's page has it. */
function CommonInShort({ common }: { readonly common: OutputOf<"groups.common"> | null }) {
  if (common === null || common.fields.length === 0) return null;
  return (
    <>
      <h3>In common</h3>
      <dl className="in-short">
        {common.fields.slice(0, mostCommon).map(({ field, sentence, isTelling }) => (
          <div key={field}>
            <dt>{field}</dt>
            <dd>{isTelling ? <b>{sentence}</b> : sentence}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

function NewestLetters({ letters }: { readonly letters: OutputOf<"letters.list">["items"] }) {
  if (letters.length === 0) return null;
  return (
    <>
      <h3>Newest letters</h3>
      <ul className="names newest">
        {letters.map((letter) => (
          <li key={letter.id}>
            <Link to={pages.letter(letter.id)}>{errorOf(letter)}</Link> <PastTtl expiresAt={letter.expiresAt} />{" "}
            <span className="muted">
              {letter.key === null ? "" : `${letter.key} · `}
              <Ago since={letter.failedAt} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}
