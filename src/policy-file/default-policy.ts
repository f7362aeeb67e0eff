import { once } from "../triage/once.ts";
import { type Policy, parsePolicy } from "./policy-file.ts";

/** What holds where nobody applied a policy, as it would be written: somewhere to begin. */
export const defaultPolicyText = `# The policy where there is none: no rules of your own, and one protocol a category.
version: 1
rules: []
protocols:
  # The world hiccupped: back in bulk, slowly, and stopped when it comes back.
  transient:
    bulk: true
    rate: 20
    batch: 50
    ramp: { steps: [5, 50], onUnknown: pause }
    maxReplays: 3
    settle: { min: 2m }
    halt: { returns: 0.05, lag: 5000 }
    approvals: { n: 1, roles: [approver, admin], expires: 4h, exemptUpTo: 10 }
    auto: false
  # Blocked until a consumer that handles it is deployed.
  schema_mismatch:
    bulk: true
  # Decided one by one: drop, compensate, escalate.
  business_rule:
    bulk: false
    approvals: { exemptUpTo: 0 }
  # Blocked until a fix is recorded.
  poison:
    bulk: true
    approvals: { exemptUpTo: 0 }
  # lost_context is never replayed, and unknown is classified first: no policy changes that.
overrides: []
`;

export const defaultPolicy: () => Policy = once(() => parsePolicy(defaultPolicyText, "the default policy"));
