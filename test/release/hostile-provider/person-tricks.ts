import type { Trick } from "./attempt.ts";
import { type Behavior, signed } from "./provider.ts";

const noRole = /You have no role in this office/;

const told = (name: string, change: Behavior["claims"], refusal: RegExp | null, person?: RegExp): Trick => ({
  name,
  behavior: { claims: change ?? ((honest) => honest) },
  refusal,
  ...(person === undefined ? {} : { person }),
});

const groups = (name: string, given: unknown, refusal: RegExp | null = noRole): Trick =>
  told(name, (honest) => ({ ...honest, groups: given }), refusal);

const called = (name: string, given: unknown, person: RegExp): Trick =>
  told(
    name,
    // Each is another person, so that none is called what one before was called.
    (honest) => ({ ...honest, sub: `sub-of-${name}`, preferred_username: given }),
    null,
    person,
  );

const many = Array.from({ length: 100_000 }, (_, index) => `group-${index}`);

/** What a provider may say, since it is the provider; it gains nothing beside what the configuration gives. */
export const personTricks: readonly Trick[] = [
  groups("a group called admin", ["admin"]),
  groups("groups called like built-in roles", ["viewer", "operator", "approver", "agent"]),
  groups("a group in capital letters", ["Payments-Ops", "PAYMENTS-OPS"]),
  groups("a group with a space more", ["payments-ops ", " payments-ops", "payments-ops\n"]),
  groups("a group with a letter that looks the same", ["pаyments-ops"]),
  groups("a group with an invisible letter", ["payments\u200b-ops"]),
  groups("a group that a prototype has", ["__proto__", "constructor", "toString"]),
  groups("groups that are a number", 7),
  groups("groups that are true", true),
  // Missing there, as it were: userinfo is asked, and names them.
  groups("groups that are null", null, null),
  groups("groups in an object", { 0: "payments-ops", length: 1 }),
  groups("groups in a list of lists", [["payments-ops"]]),
  groups("groups that are objects", [{ name: "payments-ops" }, { toString: "payments-ops" }]),
  groups("groups in one text with commas", "payments-ops,admin"),
  groups("no groups", []),
  {
    name: "claims with a key called __proto__",
    behavior: {
      idToken: (own, situation) =>
        signed(
          JSON.stringify({ ...own, groups: [] }).replace(/\}$/, ',"__proto__":{"groups":["payments-ops"]}}'),
          situation,
        ),
    },
    refusal: noRole,
  },
  groups("50,000 groups and ours", [...many.slice(0, 50_000), "payments-ops"], null),
  groups("100,000 groups, which are more than 1 MB", [...many, "payments-ops"], /more than 1 MB/),
  {
    name: "60,000 groups at the userinfo endpoint, none of them ours",
    behavior: {
      claims: (honest) => ({ ...honest, groups: undefined }),
      userinfo: (honest) => ({ ...honest, groups: many.slice(0, 60_000) }),
    },
    refusal: noRole,
  },
  groups("a group with a name of 100,000 letters", ["g".repeat(100_000)]),
  {
    name: "groups that are elsewhere (_claim_sources)",
    behavior: {
      claims: (honest, { internal }) => ({
        ...honest,
        groups: undefined,
        _claim_names: { groups: "there" },
        _claim_sources: { there: { endpoint: `${internal}/groups` } },
      }),
      userinfo: (honest) => ({ ...honest, groups: undefined }),
    },
    refusal: noRole,
  },
  called("a name with a null byte", "ro\u0000ot", /^ro-ot/),
  called("a name with tags", "<img src=x onerror=alert(1)>", /^[\w.-]+$/),
  called("a name that runs backwards", "\u202eana\u202c", /^[\w.-]+$/),
  called("a name of another script", "аna", /^[\w.-]+$/),
  called("a name of 100,000 letters", "n".repeat(100_000), /^n{1,50}(-[0-9a-f]{12})?$/),
  called("a name that is a path", "../../root", /^[\w.-]+$/),
  called("a name that is a number", 7, /^person-[0-9a-f]{12}$/),
  called("a name that is an object", { toString: "root" }, /^person-[0-9a-f]{12}$/),
  called("no name", undefined, /^(ana-[0-9a-f]{12}|person-[0-9a-f]{12}|ana)$/),
  called("the name of someone who is there already", "dora", /^dora-[0-9a-f]{12}$/),
];
