import { goTo, pages } from "../app/routes.ts";
import { Link } from "../ui/link.tsx";
import { ContentionSimulation } from "./contention-simulation.tsx";
import { OutageSimulation } from "./outage-simulation.tsx";
import { PastOutageSimulation } from "./past-outage-simulation.tsx";
import { RetrySimulation } from "./retry-simulation.tsx";
import type { ScenarioValues } from "./scenario.tsx";

const kinds = { outage: "Outage", past: "A past outage", contention: "Contention", retry: "Retry waits" } as const;

/** Whether a retry policy is sane before it is deployed. The whole scenario is in the address, and its dice are seeded. */
export function SimulatorPage({ query }: { readonly query: URLSearchParams }) {
  const asked = query.get("of") ?? "";
  const kind = Object.hasOwn(kinds, asked) ? (asked as keyof typeof kinds) : "outage";
  const values: ScenarioValues = {
    get: (name) => query.get(name),
    set: (changed) => goTo(pages.simulator({ ...Object.fromEntries(query), ...changed, of: kind })),
  };
  return (
    <>
      <h1>Simulator</h1>
      <nav aria-label="What to simulate" className="tabs">
        {Object.entries(kinds).map(([of, name]) => (
          <Link key={of} to={pages.simulator({ of })} current={of === kind}>
            {name}
          </Link>
        ))}
      </nav>
      {kind === "outage" ? <OutageSimulation values={values} /> : null}
      {kind === "past" ? <PastOutageSimulation values={values} /> : null}
      {kind === "contention" ? <ContentionSimulation values={values} /> : null}
      {kind === "retry" ? <RetrySimulation values={values} /> : null}
    </>
  );
}
