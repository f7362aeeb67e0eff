import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type Shared, sharedVariable } from "./one-for-all.ts";

/** Before all tests, in the runner's own process: a server costs seconds, and most tests can do with a part of one. */

interface Started<Thing> {
  readonly thing: Thing;
  close(): Promise<void>;
}

type Starters = { readonly [Name in keyof Shared]: () => Promise<Started<Shared[Name]>> };

/** Imported by whoever wants it: unit tests pay for none of them. */
const starters: Starters = {
  async postgres() {
    const { startPostgres } = await import("./postgres.ts");
    const server = await startPostgres({ max_connections: "600" });
    return { thing: { url: server.url() }, close: () => server.close() };
  },
  async postgresData() {
    const { makePostgresData } = await import("./postgres.ts");
    const { folder, remove } = makePostgresData();
    return { thing: { folder }, close: async () => remove() };
  },
  async rabbitmq() {
    const { startRabbitmq } = await import("./rabbitmq.ts");
    const server = await startRabbitmq();
    return { thing: { url: server.url, managementUrl: server.managementUrl }, close: () => server.close() };
  },
  async kafka() {
    const { startKafka } = await import("./kafka.ts");
    const server = await startKafka();
    const { brokers, sessionTimeoutMs } = server;
    return { thing: { brokers, sessionTimeoutMs }, close: () => server.close() };
  },
  async kafkaData() {
    const { makeKafkaData } = await import("./kafka.ts");
    const { folder, remove } = makeKafkaData();
    return { thing: { folder }, close: async () => remove() };
  },
  async elasticmq() {
    const { startElasticmq } = await import("./elasticmq.ts");
    const server = await startElasticmq();
    return { thing: { endpoint: server.endpoint }, close: () => server.close() };
  },
  async keycloak() {
    const { startKeycloak } = await import("./keycloak.ts");
    const server = await startKeycloak();
    return { thing: { url: server.url, adminUrl: server.adminUrl }, close: () => server.close() };
  },
  async pglite() {
    const { writePglite } = await import("./pglite.ts");
    return inFolder("pglite", async (folder) => ({ file: await writePglite(folder) }));
  },
  async web() {
    const { buildWeb } = await import("../web/build-web.ts");
    return inFolder("web", async (folder) => ({ folder: await buildWeb(folder) }));
  },
};

const started = new Map<string, Promise<Started<unknown>>>();
let server: Server | undefined;

export async function setup(): Promise<void> {
  const listening = createServer(({ url }, response) => void answer(url?.slice(1) ?? "", response));
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  server = listening;
  process.env[sharedVariable] = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

export async function teardown(): Promise<void> {
  server?.close();
  server?.closeAllConnections();
  const all = await Promise.allSettled(started.values());
  await Promise.all(all.map(async (one) => one.status === "fulfilled" && one.value.close()));
}

async function answer(name: string, response: ServerResponse): Promise<void> {
  // A connection that is kept may be closed here at the moment in which a busy test uses it again.
  response.setHeader("connection", "close");
  try {
    const { thing } = await startOnce(name);
    response.end(JSON.stringify(thing));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

function startOnce(name: string): Promise<Started<unknown>> {
  const starting = started.get(name) ?? starters[name as keyof Shared]();
  started.set(name, starting);
  return starting;
}

async function inFolder<Thing>(name: string, make: (folder: string) => Promise<Thing>): Promise<Started<Thing>> {
  const { makeFolder, removeFolder } = await import("./server-process.ts");
  const folder = makeFolder(name, undefined);
  return { thing: await make(folder), close: async () => removeFolder(folder) };
}
