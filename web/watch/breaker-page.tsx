import type { OutputOf } from "../../src/office/operations/operations.ts";
import { pages } from "../app/routes.ts";
import { useAnswer } from "../app/use-answer.ts";
import { useTitle } from "../app/use-title.ts";
import { Lasting, Moment } from "../ui/age.tsx";
import { CommandLine } from "../ui/command-line.tsx";
import { showCount } from "../ui/counts.ts";
import { Fact } from "../ui/fact.tsx";
import { Link } from "../ui/link.tsx";
import { Freshness, Trouble } from "../ui/notice.tsx";
import { quoted } from "../ui/quoted.ts";
import { StateChip } from "../ui/state-chip.tsx";
import { BreakerHistory } from "./breaker-history.tsx";
import { breakerTones } from "./breaker-tones.ts";
import { BreakersTable } from "./breakers-table.tsx";

type Found = OutputOf<"breakers.get">;
type Shared = NonNullable<Found["shared"]>;

/** One dependency: who says how it is, since when, until when and why, and which letters wait for it. */
export function BreakerPage({ name }: { readonly name: string }) {
  const answer = useAnswer("breakers.get", { name }, 5_000);
  useTitle(name);
  return (
    <>
      <p className="over">
        <Link to={pages.breakers()}>Breaker</Link>
      </p>
      <h1>{name}</h1>
      <Trouble answer={answer} />
      {answer.data === null ? null : <BreakerFound found={answer.data} onChange={answer.reload} />}
      <CommandLine command={`dlo breakers show ${quoted(name)}`} />
      <Freshness answer={answer} />
    </>
  );
}

function BreakerFound({ found, onChange }: { readonly found: Found; readonly onChange: () => void }) {
  const { items, shared, why } = found;
  return (
    <>
      {shared === null ? null : <SharedFacts shared={shared} />}
      {why === null ? null : <p className="muted">{why}</p>}
      <h2>As its consumers report it</h2>
      <BreakersTable breakers={items} onChange={onChange} />
      {shared === null ? null : <BreakerHistory transitions={shared.transitions} />}
    </>
  );
}

function SharedFacts({ shared }: { readonly shared: Shared }) {
  const { store, state, isForced, since, openUntil, counters } = shared;
  return (
    <dl className="facts">
      <Fact name="State">
        <StateChip state={isForced ? "forced open" : state} tone={breakerTones[state]} /> for <Lasting since={since} />,
        since <Moment at={since} />
      </Fact>
      {state === "open" ? (
        <Fact name="Open until">
          {openUntil === null ? "a consumer lets go of it" : <Moment at={openUntil} to="second" />}
        </Fact>
      ) : null}
      <Fact name="Shared in">{store}</Fact>
      <Fact name="Calls">
        {showCount(counters.succeeded)} succeeded, {showCount(counters.failed)} failed, {showCount(counters.denied)} not
        let through
      </Fact>
      <Fact name="Opened">{counters.opened === 1 ? "once" : `${showCount(counters.opened)} times`}</Fact>
    </dl>
  );
}
