import { type ConsumerInfo, type JetStreamManager, jetstreamManager, type StreamState } from "@nats-io/jetstream";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import type { Address } from "../../src/domain/message.ts";
import { systemHost } from "../../src/system/host.ts";
import { unsettledIn } from "../../src/transports/nats/facts.ts";
import { decodeMessage } from "../../src/transports/nats/message-codec.ts";
import { nameOfWord, ourSubjects, wordOf } from "../../src/transports/nats/names.ts";
import { asNats, natsCapabilities, natsLink, natsTransportDefaults } from "../../src/transports/nats/transport.ts";
import { pullTransport } from "../../src/transports/pull-transport.ts";
import { noNatsServer, startNats } from "../servers/nats.ts";
import { noPostgres } from "../servers/postgres.ts";
import { armedLink } from "./armed-link.ts";
import type { BrokerDriver, Resting } from "./broker-driver.ts";
import { failpointsOf } from "./failpoint.ts";

export const natsDriver: BrokerDriver = {
  label: "NATS",
  missing: noNatsServer ?? noPostgres,
  capabilities: natsCapabilities,
  // A subject has no spaces.
  queue: (name) => ({ name: name.replaceAll(" ", "~") }),

  /** Steps are what the transport asks of its link. */
  failpoints: failpointsOf({
    take: ["during", "after"],
    extend: ["before", "after"],
    charge: ["before", "during", "after"],
    acknowledge: ["before", "during", "after"],
    replace: ["before", "during", "after"],
    move: ["before", "during", "after"],
  }),

  async connect(url, failpoint) {
    const link = natsLink(url, { ...natsTransportDefaults, ...impatient, ackWaitMs: 5_000 });
    const transport = pullTransport(armedLink(link, failpoint), { ...asNats, ...impatient });
    return { transport, close: () => transport.close() };
  },

  async start() {
    const server = await startNats();
    let keeper = await openKeeper(server.url);
    return {
      url: server.url,
      booksUrl: undefined,
      kill: () => server.kill(),
      async start() {
        await server.start();
        await keeper.client.close();
        keeper = await openKeeper(server.url);
      },
      prepare: async () => {},
      depth: (queue) => depthOf(keeper.manager, queue),
      resting: (queue) => restingIn(keeper.manager, queue),
      async close() {
        await keeper.client.close();
        await server.close();
      },
    };
  },
};

/** That a process was stopped, or that nobody answers any more, should show within a test. */
const impatient = { answerWithinMs: 3_000, pollMs: 200, host: systemHost };

interface Keeper {
  readonly client: NatsConnection;
  readonly manager: JetStreamManager;
}

async function openKeeper(servers: string): Promise<Keeper> {
  const client = await connect({ servers, reconnect: false });
  return { client, manager: await jetstreamManager(client) };
}

/**
 * A server that is killed may keep messages that were acknowledged: what counts is how far its consumers are, which it keeps
 * as well.
 */
async function restingIn(manager: JetStreamManager, { name }: Address): Promise<readonly Resting[]> {
  const resting: Resting[] = [];
  for (const stream of [wordOf(name), natsTransportDefaults.stream])
    resting.push(...(await messagesOf(manager, stream)));
  const called = queueOf(name);
  return resting.filter(({ queue }) => queue === called || queue.startsWith(`${called}.`));
}

async function messagesOf(manager: JetStreamManager, stream: string): Promise<readonly Resting[]> {
  const { first_seq: first, last_seq: last } = (await manager.streams.info(stream).catch(() => nothing)).state;
  const floors = new Map<string, number>();
  for (const { config, ack_floor: floor } of last === 0 ? [] : await consumersOf(manager, stream)) {
    floors.set(config.filter_subject ?? "", floor.stream_seq);
  }
  const resting: Resting[] = [];
  for (let seq = Math.max(1, first); seq <= last; seq++) {
    const stored = await manager.streams.getMessage(stream, { seq });
    if (stored === null || seq <= (floors.get(stored.subject) ?? 0)) continue;
    const { header, data, subject } = stored;
    resting.push({ queue: queueOf(subject), ...decodeMessage({ headers: header, data, subject }, subject) });
  }
  return resting;
}

/** What waits or comes again is of the queue that it comes again to. */
function queueOf(subject: string): string {
  const [, word = ""] = /^dlo\.[a-z]+\.(.+)$/u.exec(subject) ?? [];
  return (word === "" ? subject : nameOfWord(word)).replaceAll("~", " ");
}

/** Of what nobody has begun to read, all that is there. */
async function depthOf(manager: JetStreamManager, { name }: Address): Promise<number> {
  const subjects = [name, ourSubjects.again(name), ourSubjects.charged(name), ourSubjects.delayed(name)];
  let depth = 0;
  for (const stream of [wordOf(name), natsTransportDefaults.stream]) {
    const { state } = await manager.streams.info(stream, { subjects_filter: ">" }).catch(() => nothing);
    const consumers = state === nothing.state ? [] : await consumersOf(manager, stream);
    for (const subject of subjects) {
      const consumer = consumers.find(({ config }) => config.filter_subject === subject);
      depth += consumer === undefined ? (state.subjects?.[subject] ?? 0) : unsettledIn(consumer);
    }
  }
  return depth;
}

/** A stream that is made when it is first needed. */
const nothing: { readonly state: Pick<StreamState, "first_seq" | "last_seq" | "subjects"> } = {
  state: { first_seq: 0, last_seq: 0 },
};

async function consumersOf(manager: JetStreamManager, stream: string): Promise<readonly ConsumerInfo[]> {
  const consumers: ConsumerInfo[] = [];
  for await (const consumer of manager.consumers.list(stream)) consumers.push(consumer);
  return consumers;
}
