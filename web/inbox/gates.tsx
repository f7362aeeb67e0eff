import { pages } from "../app/routes.ts";
import { Ago } from "../ui/age.tsx";
import { Fact } from "../ui/fact.tsx";
import { Link } from "../ui/link.tsx";
import { StateChip } from "../ui/state-chip.tsx";
import type { Group } from "./group-steps.tsx";

/** What the letters of a group wait for before they may go: what is seen of it now, since when, and what opens it. */
export function Gates({ group: { gates } }: { readonly group: Group }) {
  return gates.map((gate) => <GateCard key={`${gate.kind} ${gate.waitsFor}`} gate={gate} />);
}

function GateCard({ gate: { kind, breaker, isOpen, waitsFor, sees, since, opens } }: { readonly gate: Gate }) {
  return (
    <section className="card" aria-label={`Gate: ${waitsFor}`}>
      <h3>
        {waitsFor} {isOpen ? <StateChip state="gate open" tone="good" /> : <StateChip state="waits" tone="warn" />}
      </h3>
      <dl className="facts">
        <Fact name="Seen now">{sees}</Fact>
        {since === null ? null : (
          <Fact name="Since">
            <Ago since={since} />
          </Fact>
        )}
        {opens === "" ? null : <Fact name={isOpen ? "For the others" : "What opens it"}>{opens}</Fact>}
      </dl>
      {/* One that closed is soon spoken of no more, and has no page then. */}
      {kind === "breaker" && !isOpen ? <BreakerLink name={breaker ?? ""} /> : null}
      {kind === "deploy" ? (
        <p>
          <Link to={pages.consumers()}>Who is at work, in which version</Link>
        </p>
      ) : null}
    </section>
  );
}

type Gate = Group["gates"][number];

function BreakerLink({ name }: { readonly name: string }) {
  return (
    <p>
      <Link to={pages.breaker(name)}>How the breaker {name} is</Link>
    </p>
  );
}

/** Who has letters of it in a replay already. */
export function InReplays({ group: { inReplays } }: { readonly group: Group }) {
  return inReplays.map(({ replay, sentence }) => (
    <p key={replay}>
      <Link to={pages.replay(replay)}>{sentence}</Link>
    </p>
  ));
}
