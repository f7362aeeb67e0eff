import type { Category } from "../domain/classification.ts";
import { defaultProtocols, type Protocol } from "../domain/protocol.ts";
import type { LetterFacts, PlanFacts } from "../triage/conditions/letter-facts.ts";
import type { Policy } from "./policy-file.ts";
import type { ProtocolChanges } from "./policy-schema.ts";

type Said = Pick<Policy, "protocols" | "overrides">;

/** By a policy's protocols: they never change, and are asked for with each letter that is sent. */
const known = new WeakMap<Policy["protocols"], Partial<Record<Category, Protocol>>>();

/** What a policy says of every letter of a category: the file where it speaks, what is built in where it does not. */
export function protocolOf({ protocols }: Pick<Policy, "protocols">, category: Category): Protocol {
  const ofPolicy = known.get(protocols) ?? {};
  known.set(protocols, ofPolicy);
  ofPolicy[category] ??= withinMeaning(changed(defaultProtocols[category], protocols[category] ?? {}), category);
  return ofPolicy[category];
}

/** What a policy says of one letter in one plan: its category's protocol, then each override that holds, in order. */
export function protocolFor(policy: Said, facts: LetterFacts, plan: PlanFacts): Protocol {
  const category = facts.category ?? "unknown";
  let protocol = protocolOf(policy, category);
  for (const [index, { id, when, set, deny }] of policy.overrides.entries()) {
    if (!when.holds(facts, plan)) continue;
    protocol = changed(protocol, set);
    if (deny !== null) protocol = { ...protocol, deniedBy: deny ? (id ?? `override ${index + 1}`) : null };
  }
  return withinMeaning(protocol, category);
}

/** What would hold for letters of a category that an override changes by this. */
export function protocolWith(protocol: Protocol, said: ProtocolChanges, category: Category): Protocol {
  return withinMeaning(changed(protocol, said), category);
}

const permissions = ["never", "single", "bulk"] as const;

/** No policy can allow more than what the category means allows. */
function withinMeaning(protocol: Protocol, category: Category): Protocol {
  const most = permissions.indexOf(defaultProtocols[category].allows);
  const allows = permissions[Math.min(most, permissions.indexOf(protocol.allows))] ?? "never";
  return { ...protocol, allows, auto: protocol.auto && category === "transient" };
}

function changed(protocol: Protocol, said: ProtocolChanges): Protocol {
  const {
    bulk,
    rate,
    batch,
    ramp,
    maxReplays,
    settle,
    halt,
    approvals,
    auto,
    probe,
    duplicates,
    key,
    effects,
    health,
    gates,
  } = said;
  const { expires, ...otherApprovals } = approvals ?? {};
  return {
    ...protocol,
    ...given({ rate, batch, ramp: ramp?.steps, onUnknown: ramp?.onUnknown, maxReplays, auto, probe }),
    ...given({ duplicates, keyAt: key, effects, health }),
    ...given({ allows: bulk === undefined ? undefined : bulk ? ("bulk" as const) : ("single" as const) }),
    ...given({ settleS: seconds(settle?.min) }),
    halt: { ...protocol.halt, ...given(halt ?? {}) },
    gates: { ...protocol.gates, ...given(gates ?? {}) },
    approvals: { ...protocol.approvals, ...given(otherApprovals), ...given({ expiresS: seconds(expires) }) },
  };
}

const seconds = (ms: number | undefined) => (ms === undefined ? undefined : ms / 1_000);

type Given<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

/** Without what is undefined, which would hide what it is spread over. */
function given<Values extends object>(values: Values): Given<Values> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given<Values>;
}
