import { showRemaining } from "../../src/domain/duration.ts";
import { showCount as countOf } from "../../src/domain/show-count.ts";
import { Ago, Moment } from "../ui/age.tsx";
import { showCount } from "../ui/counts.ts";
import { Fact } from "../ui/fact.tsx";
import { PartsBar } from "../ui/parts-bar.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import { decisionParts, isPlan, type Replay, toneOf, whereTo } from "./replay-words.ts";

const steps = ["Plan", "Approve", "Run", "Settle", "Verdict"] as const;

const stepOf: Readonly<Record<Replay["state"], number>> = {
  ...{ planned: 0, awaiting_approval: 1, approved: 2, running: 2, paused: 2, halted: 2, settling: 3 },
  ...{ finished: 4, cancelled: 4, rejected: 1, expired: 0 },
};

export function ReplayHead({ replay }: { readonly replay: Replay }) {
  const { name, state, verdict, counts, brokeGlass } = replay;
  return (
    <>
      <p className="over">Replay</p>
      <h1>
        {name} <StateChip state={verdict === null ? state : `${state} ${verdict}`} tone={toneOf(replay)} />
      </h1>
      <Steps at={stepOf[state]} />
      {brokeGlass ? (
        <p className="trouble">The glass was broken: an admin stood in for approvals that were missing.</p>
      ) : null}
      {isPlan(replay) ? (
        <PartsBar
          parts={decisionParts(replay)}
          label={`${countOf(counts.selected, "letter")} ${counts.selected === 1 ? "was" : "were"} selected`}
        />
      ) : null}
    </>
  );
}

function Steps({ at }: { readonly at: number }) {
  return (
    <ol className="steps" aria-label="How far it is">
      {steps.map((step, index) => (
        <li key={step} aria-current={index === at ? "step" : undefined} className={index < at ? "done" : undefined}>
          {step}
        </li>
      ))}
    </ol>
  );
}

/** What, where, how fast, and what would stop it. */
export function HowItGoes({ replay }: { readonly replay: Replay }) {
  const { limits, redirect, query, counts, policy, planHash, takesS } = replay;
  const halts = [
    `more than ${limits.haltReturns * 100} % of a step come back`,
    ...(limits.haltLag === null ? [] : [`the queue is ${showCount(limits.haltLag)} behind`]),
    "a breaker opens",
  ];
  return (
    <dl className="facts">
      <Fact name="Selected">
        {showCount(counts.selected)} by <code>{query.length > 90 ? `${query.slice(0, 90)}…` : query}</code>
      </Fact>
      <Fact name="Where">
        {whereTo(replay)}
        {counts.toSend === 0 ? "" : redirect === null ? ", where they came from" : ", redirected there"}
      </Fact>
      <Fact name="How">
        {[...limits.ramp, "rest"].join(" → ")}, at most {limits.rate} a second, {limits.settleS} s to settle each step
      </Fact>
      {takesS === null ? null : (
        <Fact name="Takes">at most {showRemaining(takesS * 1_000)}, once somebody sends it</Fact>
      )}
      <Fact name="Stops if">{halts.join(" · ")}</Fact>
      <Fact name="Frozen">
        <Ago since={replay.frozenAt} /> by {replay.requestedBy}, plan <code>{planHash.slice(0, 8)}</code>, policy{" "}
        <code>{policy.hash.slice(0, 8)}</code>
      </Fact>
      {isPlan(replay) ? (
        <Fact name="Expires">
          <Moment at={replay.expiresAt} />
        </Fact>
      ) : null}
      {replay.reason === null ? null : <Fact name="Asked because">{replay.reason}</Fact>}
    </dl>
  );
}
