import type { OutputOf } from "../../src/office/operations/operations.ts";
import { useAnswer } from "../app/use-answer.ts";
import { Act } from "../ui/act.tsx";
import { Ago } from "../ui/age.tsx";
import { Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";

interface QueueDuplicatesProps {
  readonly source: string;
  readonly queue: string;
}

type Acceptance = OutputOf<"queues.duplicates">["items"][number];

/** Who accepts that duplicates in this queue are not recognized, and why; or what that would mean. */
export function QueueDuplicates({ source, queue }: QueueDuplicatesProps) {
  const answer = useAnswer("queues.duplicates", { source, queue, limit: 5 });
  const items = answer.data?.items ?? [];
  const standing = items.find(({ revokedBy }) => revokedBy === null);
  const given = { source, queue, onChange: answer.reload };
  return (
    <section aria-labelledby="duplicates">
      <h2 id="duplicates">Duplicates</h2>
      <Trouble answer={answer} />
      {answer.data === null ? null : standing === undefined ? (
        <NotAccepted {...given} />
      ) : (
        <Accepted {...given} standing={standing} />
      )}
      {items
        .filter(({ revokedBy }) => revokedBy !== null)
        .map((each) => (
          <p key={each.at} className="muted">
            {wordsOf(each)}, said {each.by} <Ago since={each.at} />. {each.revokedBy} revoked it{" "}
            <Ago since={each.revokedAt} />.
          </p>
        ))}
    </section>
  );
}

type AcceptanceProps = QueueDuplicatesProps & { readonly onChange: () => void };

function NotAccepted({ source, queue, onChange }: AcceptanceProps) {
  return (
    <>
      <p>
        Letters without an idempotency key, or for consumers that report no idempotency, could be processed twice
        unnoticed. Until a person accepts that here, plans with such letters need an approval.
      </p>
      <div className="buttons">
        {(["handled", "harmless"] as const).map((because) => (
          <Act
            key={because}
            operation="queues.acceptDuplicates"
            label={because === "handled" ? "Consumers handle duplicates" : "Duplicates do no harm"}
            command={(why) =>
              `dlo queues accept-duplicates ${quoted(`${source}/${queue}`)} --because ${because} --reason ${quoted(why || "…")}`
            }
            input={(reason) => ({ source, queue, because, reason })}
            onDone={onChange}
          >
            <p>
              {because === "handled"
                ? `You say that consumers of ${queue} recognize a message they processed before.`
                : `You say that processing a message of ${queue} twice changes nothing.`}{" "}
              Your name and reason are kept and shown here, until someone revokes it.
            </p>
          </Act>
        ))}
      </div>
    </>
  );
}

function Accepted({ source, queue, onChange, standing }: AcceptanceProps & { readonly standing: Acceptance }) {
  return (
    <>
      <p>
        {wordsOf(standing)}, says {standing.by} <Ago since={standing.at} />: {standing.reason}
      </p>
      <div className="buttons">
        <Act
          operation="queues.revokeDuplicates"
          label="Revoke"
          reason="optional"
          command={(why) =>
            `dlo queues revoke-duplicates ${quoted(`${source}/${queue}`)}${why === "" ? "" : ` --reason ${quoted(why)}`}`
          }
          input={(reason) => ({ source, queue, reason })}
          onDone={onChange}
        >
          <p>Plans with letters that could be processed twice need an approval again.</p>
        </Act>
      </div>
    </>
  );
}

function wordsOf({ because, queue }: Acceptance): string {
  return because === "handled" ? `Consumers of ${queue} handle duplicates` : `Duplicates do no harm in ${queue}`;
}
