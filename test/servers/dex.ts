import { randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "./certificate.ts";
import { jarsOf, listening } from "./jars.ts";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess, untilReady } from "./server-process.ts";

/** What is in its file: whom it knows, and who may ask. Without a word on groups it names none. */
export interface DexSettings {
  readonly people: readonly DexPerson[];
  readonly secret: string;
}

export interface DexPerson {
  /** For good, as it is in `sub`. */
  readonly id: string;
  readonly name: string;
  readonly groups: readonly string[];
}

/** A Dex of one's own, which keeps all it knows in its file and in memory. */
export interface DexServer {
  readonly issuer: string;
  readonly clientId: string;
  readonly settings: DexSettings;
  /** Changes its file and starts it again, which also gives it new keys: it has no other way. */
  change(settings: Partial<DexSettings>): Promise<void>;
  close(): Promise<void>;
}

const program = join(jarsOf("dex"), "dex");

/** Why none can be started here, or undefined. */
export const noDex: string | undefined = existsSync(program)
  ? undefined
  : "Dex is not here: node scripts/setup-servers.mjs --release (it takes Go and up to 5 minutes)";

/** Everyone's. */
export const dexPassword = "password";
/** That password, as bcrypt has it. */
const passwordHash = "$2a$10$2b2cU8CPhOTaGrs1HRQuAueS7JTT5ZHsHSzYiFPm1leZck7Mc8T4W";

export const dexMail = (name: string): string => `${name}@shop.example`;

export interface DexOptions {
  readonly redirectUris: readonly string[];
  readonly people: readonly DexPerson[];
  readonly certificate: Certificate;
  /** What else is in its file, as in the guide. */
  readonly file?: object;
}

export async function startDex({ redirectUris, people, certificate, file = {} }: DexOptions): Promise<DexServer> {
  if (noDex !== undefined) throw new Error(noDex);
  const folder = makeFolder("dex", undefined);
  const port = await freePort();
  const issuer = `https://127.0.0.1:${port}/dex`;
  const tls = { tlsCert: join(folder, "certificate.pem"), tlsKey: join(folder, "key.pem") };
  writeFileSync(tls.tlsCert, certificate.certificate);
  writeFileSync(tls.tlsKey, certificate.key);
  let settings: DexSettings = { people, secret: randomBytes(20).toString("hex") };
  let server: ServerProcess | undefined;

  const end = async () => {
    server?.signal("SIGKILL");
    await server?.ended;
  };
  const start = async () => {
    const whole = {
      ...file,
      issuer,
      storage: { type: "memory" },
      web: { https: `127.0.0.1:${port}`, ...tls },
      staticClients: [{ id: "dlo", name: "Dead Letter Office", secret: settings.secret, redirectURIs: redirectUris }],
      enablePasswordDB: true,
      staticPasswords: settings.people.map(personOf),
    };
    // JSON is YAML too.
    writeFileSync(join(folder, "dex.yaml"), JSON.stringify(whole));
    server = startProcess({ file: program, args: ["serve", "dex.yaml"], folder, account: undefined });
    await untilReady(server, () => listening(port));
  };
  await start();
  return {
    ...{ issuer, clientId: "dlo" },
    get settings() {
      return settings;
    },
    async change(change) {
      settings = { ...settings, ...change };
      await end();
      await start();
    },
    async close() {
      await end();
      removeFolder(folder);
    },
  };
}

function personOf({ id, name, groups }: DexPerson): object {
  const names = { username: name, name, preferredUsername: name };
  return { email: dexMail(name), emailVerified: true, hash: passwordHash, userID: id, groups, ...names };
}
