import { useState } from "react";
import { Onlookers } from "../app/onlookers.tsx";
import { useAnswer } from "../app/use-answer.ts";
import { useTitle } from "../app/use-title.ts";
import { inWords } from "../ui/counts.ts";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { ReplayActions } from "./replay-actions.tsx";
import { ReplayDrift } from "./replay-drift.tsx";
import { ReplayEdits } from "./replay-edits.tsx";
import { HowItGoes, ReplayHead } from "./replay-head.tsx";
import { ReplayItems } from "./replay-items.tsx";
import { ReplayProgress } from "./replay-progress.tsx";
import { ReplayReasons } from "./replay-reasons.tsx";
import { ReplayRecord } from "./replay-record.tsx";
import { isPlan, isUnderWay, type Replay } from "./replay-words.ts";

const runningMs = 1_000;
const restingMs = 5_000;

/** One replay from its plan to its verdict, at one address: what was sent in a link is always the place to look. */
export function ReplayPage({ id, query }: { readonly id: string; readonly query: URLSearchParams }) {
  const [isRunning, setRunning] = useState(false);
  const answer = useAnswer("replays.get", { id }, isRunning ? runningMs : restingMs);
  const replay = answer.data;
  // With how it stands, for whoever has it open behind other tabs until it ends.
  useTitle(replay === null ? null : `${inWords(replay.verdict ?? replay.state)}: ${replay.name}`);
  if (replay !== null && isUnderWay(replay) !== isRunning) setRunning(isUnderWay(replay));
  return (
    <>
      <Onlookers id={id} />
      <Trouble answer={answer} />
      {replay === null ? <h1>Replay</h1> : <WholeReplay replay={replay} query={query} onChange={answer.reload} />}
      <Freshness answer={answer} />
    </>
  );
}

/** Before it runs, and while it stands still: what has changed meanwhile is for whoever approves, starts or resumes it. */
function mayStillGo({ state, counts }: Replay): boolean {
  const stands = ["planned", "awaiting_approval", "approved", "paused", "halted"].includes(state);
  return stands && counts.notYetSent > 0;
}

interface WholeReplayProps {
  readonly replay: Replay;
  readonly query: URLSearchParams;
  readonly onChange: () => void;
}

function WholeReplay({ replay, query, onChange }: WholeReplayProps) {
  return (
    <>
      <ReplayHead replay={replay} />
      {replay.notices.map(({ code, sentence, change }) => (
        <div key={code} role="alert" className="trouble">
          <p>
            {sentence} {change}
          </p>
        </div>
      ))}
      {isPlan(replay) ? null : <ReplayProgress replay={replay} />}
      {mayStillGo(replay) ? <ReplayDrift key={replay.approvalHash} replay={replay} /> : null}
      <ReplayActions replay={replay} onChange={onChange} />
      <HowItGoes replay={replay} />
      <ReplayReasons replay={replay} onChange={onChange} />
      <ReplayEdits replay={replay} after={Number(query.get("edited") ?? 0)} />
      <ReplayItems key={replay.planHash} replay={replay} query={query} onChange={onChange} />
      <ReplayRecord replay={replay} />
    </>
  );
}
