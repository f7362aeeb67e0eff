import type { KafkaBroker } from "./kafka.ts";
import type { KeycloakServer } from "./keycloak.ts";

/** What all test files of one run share. None of them may kill it, or look at what others have there. */
export interface Shared {
  /** A server; each test makes databases of its own there. */
  readonly postgres: { readonly url: string };
  /** What a new server's data are, to be copied by whoever needs a server for itself. */
  readonly postgresData: { readonly folder: string };
  /** A broker; each test makes virtual hosts of its own there. */
  readonly rabbitmq: { readonly url: string; readonly managementUrl: string };
  /** A broker; each test names topics and groups as nobody else does. */
  readonly kafka: Pick<KafkaBroker, "brokers" | "sessionTimeoutMs">;
  /** What a new node's data are, to be copied by whoever needs a broker for itself. */
  readonly kafkaData: { readonly folder: string };
  /** A server that speaks SQS; each test names queues as nobody else does. */
  readonly elasticmq: { readonly endpoint: string };
  /** An identity provider; each test makes realms of its own there. */
  readonly keycloak: Pick<KeycloakServer, "url" | "adminUrl">;
  /** A new PGlite that has our tables, in a file to start others from. */
  readonly pglite: { readonly file: string };
  /** The folder that the web UI is built in. */
  readonly web: { readonly folder: string };
}

/** Where share.ts answers; whoever asks first has the thing started. */
export const sharedVariable = "DLO_TEST_SHARED";

/** Undefined outside of the test runner: then it is to be started for oneself. */
export async function shared<Name extends keyof Shared>(name: Name): Promise<Shared[Name] | undefined> {
  const address = process.env[sharedVariable];
  if (address === undefined) return undefined;
  const answer = await fetch(`${address}/${name}`);
  if (!answer.ok) throw new Error(`What tests share could not be started: ${name}: ${await answer.text()}`);
  // Written by share.ts.
  return (await answer.json()) as Shared[Name];
}
