import { cpSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Certificate } from "./certificate.ts";
import { hasJars, jarsOf, java, javaFlags } from "./jars.ts";
import { shared } from "./one-for-all.ts";
import { freePort, makeFolder, removeFolder, type ServerProcess, startProcess, untilReady } from "./server-process.ts";

/** A Keycloak to test on; each test makes realms of its own there. */
export interface KeycloakServer {
  /** What the issuers of its realms begin with: below it is `/realms/<name>`. */
  readonly url: string;
  /** The same server without TLS, where its administrator is answered. */
  readonly adminUrl: string;
  /** Stops it and removes its data, if it is one's own. */
  close(): Promise<void>;
}

/** A Keycloak of one's own, in a temporary folder. */
export interface OwnKeycloak extends KeycloakServer {
  /** As a crash would. */
  kill(): Promise<void>;
  /** Again, on the same ports and data. */
  start(): Promise<void>;
}

/** Why none can be started here, or undefined. */
export const noKeycloak: string | undefined = hasJars("keycloak")
  ? undefined
  : "Keycloak is not here: node scripts/setup-servers.mjs (it takes Java, Maven and 147 MB)";

/** As scripts/servers/keycloak.mjs has set it up. */
export const keycloakAdmin = { username: "admin", password: "admin" } as const;

/** The server that tests share, or one started for this one. */
export async function keycloakServer(): Promise<KeycloakServer> {
  const used = await shared("keycloak");
  return used === undefined ? startKeycloak() : { ...used, close: async () => {} };
}

/** With a certificate, `url` is https, and who asks there has to trust it. */
export async function startKeycloak({ certificate }: { certificate?: Certificate } = {}): Promise<OwnKeycloak> {
  if (noKeycloak !== undefined) throw new Error(noKeycloak);
  const folder = makeHome();
  const port = await freePort();
  const adminUrl = `http://127.0.0.1:${port}/auth`;
  const secure = certificate === undefined ? undefined : { port: await freePort(), ...writeCertificate(certificate) };
  const args = [...commandIn(folder), "--http-enabled=true", `--http-port=${port}`, ...(secure?.args ?? [])];
  let server: ServerProcess | undefined;

  const kill = async () => {
    server?.signal("SIGKILL");
    await server?.ended;
  };
  const self: OwnKeycloak = {
    url: secure === undefined ? adminUrl : `https://127.0.0.1:${secure.port}/auth`,
    adminUrl,
    async start() {
      const own = secure === undefined ? [] : [`--https-port=${secure.port}`];
      const starting = startProcess({ file: java as string, args: [...args, ...own], folder, account: undefined });
      server = starting;
      await untilReady(starting, () => answers(adminUrl), 240_000);
    },
    kill,
    async close() {
      await kill();
      removeFolder(folder);
    },
  };
  await self.start();
  return self;

  function writeCertificate({ certificate, key }: Certificate) {
    const files = { certificate: join(folder, "certificate.pem"), key: join(folder, "key.pem") };
    writeFileSync(files.certificate, certificate);
    writeFileSync(files.key, key);
    return {
      args: [`--https-certificate-file=${files.certificate}`, `--https-certificate-key-file=${files.key}`],
    };
  }
}

/** The program, which it only reads, and a copy of the data of a server that was just set up. */
function makeHome(): string {
  const folder = makeFolder("keycloak", undefined);
  const prepared = jarsOf("keycloak");
  for (const part of ["lib", "conf", "providers", "themes", "version.txt"]) {
    symlinkSync(join(prepared, "home", part), join(folder, part));
  }
  cpSync(join(prepared, "data"), join(folder, "data"), { recursive: true });
  return folder;
}

/** What its shell script does at last; without it, a signal reaches the server itself. */
function commandIn(folder: string): string[] {
  return [
    ...javaFlags(384),
    "-Djava.util.concurrent.ForkJoinPool.common.threadFactory=io.quarkus.bootstrap.forkjoin.QuarkusForkJoinWorkerThreadFactory",
    "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
    `-Dkc.home.dir=${folder}`,
    "-Dkc.config.built=true",
    ...["-cp", join(folder, "lib", "quarkus-run.jar"), "io.quarkus.bootstrap.runner.QuarkusEntryPoint"],
    ...["start", "--optimized", "--cache=local", "--hostname-strict=false", "--http-host=127.0.0.1"],
  ];
}

async function answers(url: string): Promise<void> {
  const response = await fetch(`${url}/realms/master`);
  if (!response.ok) throw new Error(`Keycloak answered ${response.status}.`);
}
