import { OfficeError } from "../../domain/errors.ts";
import { endSession, whoIs } from "../../http/sign-in-client.ts";
import { type Context, command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { switchFlag, textFlag } from "../flags.ts";
import { credentialAt } from "./credential-at.ts";
import { type Credential, dropCredential, keepCredential, officeAddress, readCredential } from "./credentials.ts";
import { signInByBrowser } from "./sign-in-by-browser.ts";
import { type OfficeValues, officeFlags, whichOffice } from "./which-office.ts";

const flags = { server: officeFlags.server, context: officeFlags.context, config: officeFlags.config };

/** The office that is meant, where only one that runs will do. */
async function serverMeant(values: Omit<OfficeValues, "database">, context: Context): Promise<string> {
  const where = await whichOffice({ ...values, database: "" }, { env: { ...context.env, DATABASE_URL: "" } });
  return officeAddress(where.kind === "server" ? where.url.value : "http://127.0.0.1:7717");
}

export const loginCommand = command({
  name: "login",
  summary: "signs in at an office, through your browser or with a token",
  examples: [
    { line: "dlo login", about: "at the office that runs here; else at http://127.0.0.1:7717" },
    { line: "dlo login --server https://dlo.example", about: "at another one" },
    { line: "dlo login --token -", about: "with a token that is piped in, for programs" },
  ],
  details: [
    "The browser asks whether this terminal may act for you, and brings it a session of its own: it may do what you may. A " +
      "token cannot approve, reveal or break glass. What is stored is readable by you alone, and is sent to that office and " +
      "to no other.",
  ],
  flags: {
    ...flags,
    token: textFlag({ placeholder: "-", about: "sign in with a token: - reads it from stdin" }),
    "no-browser": switchFlag("only say the address to open"),
  },

  async run({ token, json, "no-browser": noBrowser, ...values }, context) {
    const url = await serverMeant(values, context);
    if (token !== "" && token !== "-") throw tokenInLine();
    if (token === "" && !context.mayAsk) throw nobodyThere();
    const secret = token === "-" ? await readToken(context) : await signInByBrowser(url, { ...context, noBrowser });
    const credential = await recognised(url, secret);
    await keepCredential(context.env, url, credential);
    const { person, expiresAt } = credential;
    context.print(json ? JSON.stringify({ server: url, person, expiresAt }) : `Signed in at ${url} as ${person}.`);
    return exit.done;
  },
});

function nobodyThere(): OfficeError {
  return new OfficeError("INVALID_OPTION", "Nobody can be asked to allow this terminal in a browser.", {
    details: { hint: "Pipe a token in: dlo login --token -" },
  });
}

export const logoutCommand = command({
  name: "logout",
  summary: "ends the session of this terminal, and forgets it",
  examples: [{ line: "dlo logout", about: "at the office that `dlo whoami` names" }],
  flags,

  async run({ json, ...values }, context) {
    const url = await serverMeant(values, context);
    const credential = await readCredential(context.env, url);
    if (credential !== null) {
      await dropCredential(context.env, url);
      // Forgotten here in any case; an office that is away ends it by itself.
      await endSession(url, credential.secret).catch(() =>
        context.note("The office does not answer: it ends by itself."),
      );
    }
    const words = credential === null ? `Nobody was signed in at ${url}.` : `Signed out at ${url}.`;
    context.print(json ? JSON.stringify({ server: url, person: credential?.person ?? null }) : words);
    return exit.done;
  },
});

export const whoamiCommand = command({
  name: "whoami",
  summary: "who you are at an office, and what you may be there",
  examples: [{ line: "dlo whoami", about: "asks the office: exit code 4 where it does not know you" }],
  flags,

  async run({ json, ...values }, context) {
    const url = await serverMeant(values, context);
    const credential = await credentialAt(context.env, url);
    const { actor, expiresAt } =
      credential === null ? { actor: null, expiresAt: null } : await whoIs(url, credential.secret);
    if (actor === null)
      throw new OfficeError("NOT_SIGNED_IN", `You are not signed in at ${url}.`, {
        details: { hint: `Sign in: dlo login --server ${url}` },
      });
    const { id, kind, roles } = actor;
    if (json) context.print(JSON.stringify({ server: url, person: id, kind, roles, expiresAt }));
    else context.print(`${id} at ${url}: ${roles.join(", ") || "no role"}`);
    return exit.done;
  },
});

async function readToken({ input }: Context): Promise<string> {
  let text = "";
  for await (const piece of input("-")) text += piece;
  return text.trim();
}

async function recognised(url: string, secret: string): Promise<Credential> {
  const { actor, expiresAt } = await whoIs(url, secret);
  if (actor === null)
    throw new OfficeError("SIGN_IN_REFUSED", `The office at ${url} does not know this token. Nothing was stored.`);
  return { secret, person: actor.id, expiresAt };
}

/** Every process of this machine can read a command line, and shells remember it. */
function tokenInLine(): OfficeError {
  return new OfficeError(
    "INVALID_OPTION",
    "A token in the command line can be read by others: pipe it into `dlo login --token -`.",
  );
}
