import { useAnswer } from "../app/use-answer.ts";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { Drains } from "../watch/drains.tsx";

/** How the office itself is. */
export function StatusPage() {
  const answer = useAnswer("status.get", {});
  const drains = answer.data?.drains ?? [];
  return (
    <>
      <h1>Status</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : (
        <p>
          Version {answer.data.version} · ledger {answer.data.ledger.place}
          {answer.data.ledger.isEmbedded ? ", embedded: it survives a crash, not a power cut" : ""}
        </p>
      )}
      <h2>Drains</h2>
      <Drains drains={drains} />
      <Freshness at={answer.at} />
    </>
  );
}
