import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import type { Queries } from "../../domain/database.ts";
import { OfficeError } from "../../domain/errors.ts";
import type { ProviderSession, SignedInThere } from "../../domain/identity.ts";
import { requireOption } from "../../domain/options.ts";
import { recordAction } from "../../ledger/audit.ts";
import { isDemo } from "../../ledger/demo-mark.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { lockNames } from "../../ledger/people/configured-people.ts";
import { endAccess } from "../../ledger/people/end-access.ts";
import { addFirstRun, holdsInvitation, useInvitation } from "../../ledger/people/invitations.ts";
import { addPerson, countAdmins, passwordOf, setPassword } from "../../ledger/people/people.ts";
import { listRoles } from "../../ledger/people/roles.ts";
import { keepRefreshToken } from "../../ledger/people/session-checks.ts";
import { addSession, endOneSession, findSession } from "../../ledger/people/sessions.ts";
import { addTry, forgetTries } from "../../ledger/people/sign-in-tries.ts";
import { policyKeeper } from "../policy/policy-in-force.ts";
import { requireAllowedName } from "./allowed-name.ts";
import { personBy, type RoleOfGroups } from "./by-identity.ts";
import { aboutSession, type SessionCheckParts } from "./check-sessions.ts";
import { digestOf } from "./digest.ts";
import { type PasswordCost, type PasswordKeeper, passwordKeeper } from "./passwords.ts";
import { idleMs, sessionLastsMs } from "./session-limits.ts";
import { requireGoesOn } from "./sign-ins-elsewhere.ts";
import { adminRoles, standingOf } from "./standing.ts";
import { requireSeenLately, suspendAfterMs } from "./suspensions.ts";
import { allowTerminal, redeemTerminal } from "./terminals.ts";
import { actorOfToken } from "./tokens.ts";

const hourMs = 3_600_000;
const firstRunMs = hourMs;
const tries = { windowMs: 15 * 60_000, ofAccount: 10, ofAddress: 30 };

/** Where people come in: it lets them in, and knows them again. */
export interface Reception {
  /** A code with which the first admin is made; null where there is an admin, or another process has made one. */
  firstRun(): Promise<string | null>;
  /** Nobody can make themselves admin: there is one, or all come from elsewhere. */
  hasAdmin(): Promise<boolean>;
  /** Whether people may have a name and a password here. */
  readonly takesPasswords: boolean;
  /** Uses up a code: the person it is for chooses a password, the first admin a name too. Gives the name. */
  enrol(request: Enrolment): Promise<string>;
  /** Gives a new session's id. */
  signIn(request: SignIn): Promise<string>;
  /** Gives a new session's id to whom an identity provider has named. */
  signInBy(signedIn: SignedInThere, address: string): Promise<string>;
  /** Gives a session's id to whoever asks, for that person; in a demonstration only, where nothing is anybody's. */
  enterDemo(person: string): Promise<string>;
  /** Gives by what the identity provider knows the session; null where it came from none. */
  signOut(sessionId: string): Promise<ProviderSession | null>;
  /** Whose session it is; null where it is over. What is no request of theirs does not keep it from ending. @default true */
  bySession(sessionId: string, isRequest?: boolean): Promise<KnownSession | null>;
  byToken(token: string): Promise<Actor | null>;
  /** Lets the terminal in that made this challenge, for as long as the session of this browser: gives a code for it. */
  allowTerminal(sessionId: string, challenge: string): Promise<string>;
  /** Gives a new session's id for such a code, and for what the challenge was made of. */
  redeemTerminal(request: { readonly code: string; readonly verifier: string }): Promise<string>;
}

/** Whose session it is. */
export interface KnownSession {
  readonly actor: Actor;
  readonly expiresAt: string;
}

export interface Enrolment {
  readonly code: string;
  /** Only of the first admin; an invitation has its own. */
  readonly name: string | null;
  readonly password: string;
}

export interface SignIn {
  readonly name: string;
  readonly password: string;
  /** Where it comes from. */
  readonly address: string;
}

export interface ReceptionParts {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly newSecret: () => string;
  /** Roles of the configuration. @default none */
  readonly roles?: readonly RoleOfGroups[];
  /** How sessions are checked whose provider gives refresh tokens. @default not at all */
  readonly checks?: Pick<SessionCheckParts, "sealing" | "everyMs"> | null;
  /** @default true */
  readonly takesPasswords?: boolean;
  /** Of passwords that are set from now on. @default 128 MB and a few tenths of a second */
  readonly passwordCost?: PasswordCost;
}

export function reception(parts: ReceptionParts): Reception {
  const { ledger, newSecret, roles: configured = [], takesPasswords = true } = parts;
  const passwords = passwordKeeper(newSecret, parts.passwordCost);
  const policy = policyKeeper(ledger, parts.clock);
  return {
    takesPasswords,
    async firstRun() {
      if (!takesPasswords) return null;
      const code = newSecret();
      const made = { digest: digestOf(code), lastsMs: firstRunMs, adminRoles: await allAdminRoles(parts) };
      return (await addFirstRun(ledger, made)) ? code : null;
    },
    hasAdmin: async () =>
      !takesPasswords || (await countAdmins(ledger, ledger.database, await allAdminRoles(parts))) > 0,
    async enrol(request) {
      if (!takesPasswords) throw noPasswords();
      return enrol(parts, passwords, request);
    },
    async signIn(request) {
      if (!takesPasswords) throw noPasswords();
      return signIn(parts, passwords, request);
    },
    signInBy: (signedIn, address) => signInBy(parts, signedIn, address),
    async enterDemo(person) {
      if (!(await isDemo(ledger, ledger.database)))
        throw new OfficeError("SIGN_IN_REFUSED", "This is no demonstration: sign in with name and password.");
      return beginSession(parts, person);
    },
    signOut: (sessionId) => endOneSession(ledger, digestOf(sessionId)),
    async bySession(sessionId, isRequest = true) {
      const found = await findSession(ledger, digestOf(sessionId), { idleMs, isRequest });
      if (found === null) return null;
      const { person, kind, roles: names, ownRoles, expiresAt } = found;
      return { actor: { id: person, ...standingOf({ kind, names, ownRoles }, configured) }, expiresAt };
    },
    byToken: (token) =>
      actorOfToken(ledger, token, { configured, suspendAfterMs: async () => (await policy()).suspendTokensAfterMs }),
    allowTerminal: (sessionId, challenge) => allowTerminal(parts, sessionId, challenge),
    redeemTerminal: (request) => redeemTerminal(parts, request),
  };
}

/** Of the configuration, which groups give, and of the database. */
async function allAdminRoles(
  { ledger, roles: configured = [] }: ReceptionParts,
  queries: Queries = ledger.database,
): Promise<readonly string[]> {
  return adminRoles(configured, await listRoles(ledger, queries));
}

async function enrol(
  parts: ReceptionParts,
  passwords: PasswordKeeper,
  { code, name, password }: Enrolment,
): Promise<string> {
  const { ledger, clock } = parts;
  // A password is dear to compute: for whoever has no code, none is, or they would keep everybody from signing in.
  if (!(await holdsInvitation(ledger, digestOf(code)))) throw staleCode();
  const hash = await passwords.hash(password);
  return ledger.database.transaction(async (transaction) => {
    await lockNames(ledger, transaction);
    const invited = await useInvitation(ledger, transaction, digestOf(code));
    if (invited === undefined) throw staleCode();
    // Somebody may have signed in as an admin elsewhere since the code was made.
    const names = await allAdminRoles(parts, transaction);
    if (invited === null && (await countAdmins(ledger, transaction, names)) > 0) throw staleCode();
    const id = invited ?? requireName(name);
    if (invited === null) await requireAllowedName(ledger, transaction, { name: id, person: null });
    if (invited === null && !(await addPerson(ledger, transaction, { id, kind: "human", roles: ["admin"] })))
      throw new OfficeError("INVALID_OPTION", `There is already somebody called ${id}. Choose another name.`);
    await setPassword(ledger, transaction, id, hash);
    // Whoever had the password before may be why there is a new one, and may have made tokens with it.
    await endAccess(ledger, transaction, id);
    const action = invited === null ? "people.first_admin" : "people.enrolled";
    const actor: Actor = { id, kind: "human", roles: invited === null ? ["admin"] : [] };
    await recordAction(ledger, transaction, { at: clock.now(), actor, action, details: {} });
    return id;
  });
}

function requireName(name: string | null): string {
  const fits = name !== null && /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(name);
  requireOption(fits, "name", "letters, digits, dots, dashes and underscores, at most 64 of them", name ?? "");
  return name ?? "";
}

function staleCode(): OfficeError {
  return new OfficeError(
    "SIGN_IN_REFUSED",
    "This code is not valid: it was used, its time is over, or there is an admin by now.",
    {
      details: { hint: "Start the office again for a new one, or ask an admin for an invitation." },
    },
  );
}

async function beginSession({ ledger, newSecret }: ReceptionParts, person: string): Promise<string> {
  const id = newSecret();
  const session = { digest: digestOf(id), person, lastsMs: sessionLastsMs, provider: null };
  await addSession(ledger, ledger.database, session);
  return id;
}

/** As the audit log has it, with how they came. */
function recordBegun(
  { ledger, clock }: ReceptionParts,
  queries: Queries,
  { person, ...details }: { readonly person: string; readonly address: string; readonly issuer?: string },
): Promise<void> {
  const actor: Actor = { id: person, kind: "human", roles: [] };
  return recordAction(ledger, queries, { at: clock.now(), actor, action: "session.begun", details });
}

async function signIn(
  parts: ReceptionParts,
  passwords: PasswordKeeper,
  { name, password, address }: SignIn,
): Promise<string> {
  const { ledger } = parts;
  const account = name.slice(0, 64);
  const counted = await addTry(ledger, { account, address, windowMs: tries.windowMs });
  if (counted.ofAccount > tries.ofAccount || counted.ofAddress > tries.ofAddress) throw tooManyTries();
  if (!(await passwords.isRight(password, await passwordOf(ledger, account))))
    throw new OfficeError("SIGN_IN_REFUSED", "Name and password do not go together. Nobody was signed in.");
  await forgetTries(ledger, { account, address, windowMs: tries.windowMs });
  await requireSeenLately(ledger, ledger.database, { person: account, afterMs: await suspendAfterMs(ledger) });
  const id = await beginSession(parts, account);
  await recordBegun(parts, ledger.database, { person: account, address });
  return id;
}

async function signInBy(
  parts: ReceptionParts,
  { identity, session: provider, issuedAt, refreshToken }: SignedInThere,
  address: string,
): Promise<string> {
  const { ledger, clock, newSecret, roles = [], checks = null } = parts;
  const id = newSecret();
  const digest = digestOf(id);
  await personBy({ ledger, clock, roles }, identity, async (transaction, person) => {
    await requireGoesOn(ledger, transaction, { session: provider, issuedAt });
    await addSession(ledger, transaction, { digest, person, lastsMs: sessionLastsMs, provider });
    await recordBegun(parts, transaction, { person, address, issuer: provider.issuer });
  });
  if (refreshToken !== null && checks !== null) {
    const sealed = await checks.sealing.seal(refreshToken, aboutSession(digest));
    await keepRefreshToken(ledger, { digest, refreshToken: sealed, everyMs: checks.everyMs });
  }
  return id;
}

function noPasswords(): OfficeError {
  return new OfficeError(
    "SIGN_IN_REFUSED",
    "Nobody has a password here (`signIn.passwords: false`). Sign in elsewhere.",
  );
}

function tooManyTries(): OfficeError {
  const minutes = tries.windowMs / 60_000;
  return new OfficeError("TOO_MANY_TRIES", `Too many wrong passwords. Try again in ${minutes} minutes.`, {
    details: { retryAfterS: tries.windowMs / 1_000 },
  });
}
