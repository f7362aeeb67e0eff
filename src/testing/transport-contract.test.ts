import { expect, it } from "vitest";
import { memoryCapabilities } from "../transports/memory.ts";
import { memoryBroker } from "../transports/memory-broker.ts";
import { memoryLink } from "../transports/memory-link.ts";
import type { MemoryReceipt } from "../transports/memory-queue.ts";
import type { PullLink } from "../transports/pull-link.ts";
import { pullTransport } from "../transports/pull-transport.ts";
import type { ConsumeOptions, Transport } from "../transports/transport.ts";
import type { TransportSubject } from "./transport-contract/bench.ts";
import { transportContract } from "./transport-contract.ts";

type Link = PullLink<MemoryReceipt>;

interface Liar {
  readonly lie: string;
  /** The promise it breaks. */
  readonly title: string;
  twist?(link: Link): Partial<Link>;
  wrap?(transport: Transport): Transport;
}

const yes = () => Promise.resolve(true);
const nothing = () => Promise.resolve();

/** Transports that do not keep a promise: the contract is worth what it finds out. */
const liars: readonly Liar[] = [
  {
    lie: "says it has a message that it has not",
    title: "has a message durably once send resolves, whatever becomes of the sender",
    twist: () => ({ send: nothing }),
  },
  {
    lie: "drops headers",
    title: "keeps headers in order",
    twist: (link) => ({ send: (to, message, delayMs) => link.send(to, { ...message, headers: [] }, delayMs) }),
  },
  {
    lie: "ignores the delay of a send",
    title: "does not deliver a delayed message before its time",
    twist: (link) => ({ send: (to, message) => link.send(to, message, 0) }),
  },
  {
    lie: "never acknowledges",
    title: "acknowledges what is done: it never comes again",
    twist: () => ({ acknowledge: nothing }),
  },
  {
    lie: "ignores the delay of a retry",
    title: "does not deliver a retry before its delay is over",
    twist: (link) => ({ replace: (receipt, message) => link.replace(receipt, message, 0) }),
  },
  {
    lie: "retries with the message as it was",
    title: "puts the message of a retry in the place of the one delivered",
    twist(link) {
      const taken = new Map<number, Parameters<Link["replace"]>[1]>();
      return {
        async take(...args) {
          const all = await link.take(...args);
          for (const { receipt, message } of all) taken.set(receipt.seq, message);
          return all;
        },
        replace: (receipt, message, delayMs) => link.replace(receipt, taken.get(receipt.seq) ?? message, delayMs),
      };
    },
  },
  {
    lie: "keeps what it dead-lettered",
    title: "sends a dead letter where the verdict says, headers and all, and is rid of the delivery",
    twist: (link) => ({
      async move(_, to, message) {
        await link.send(to, message, 0);
        return true;
      },
    }),
  },
  {
    lie: "says it extended what it did not",
    title: "keeps a message for whoever extends it in time",
    twist: () => ({ extend: yes }),
  },
  {
    lie: "says it charged what it did not",
    title: "keeps charged headers when the consumer dies",
    twist: () => ({ charge: yes }),
  },
  {
    lie: "lets a late acknowledgement take the message from the next",
    title: "changes nothing by a late done: the message still belongs to the next",
    twist(link) {
      const latest = latestReceipts(link);
      return {
        take: latest.take,
        acknowledge: (receipts) => link.acknowledge(receipts.map((receipt) => latest.of(receipt))),
      };
    },
  },
  {
    lie: "puts back what a late retry has no right to",
    title: "changes nothing by a late retry: the message still belongs to the next",
    twist(link) {
      const latest = latestReceipts(link);
      return { take: latest.take, replace: (receipt, ...rest) => link.replace(latest.of(receipt), ...rest) };
    },
  },
  consumingWith("takes more than it is asked for", "takes no more than prefetch messages that are not settled", () => ({
    prefetch: 3,
  })),
  consumingWith("runs one handler more", "runs up to concurrency handlers at a time, and never more", (options) => ({
    concurrency: options.concurrency + 1,
  })),
  consumingWith("has no gate", "takes nothing while the gate is closed, and goes on when it opens", () => ({
    gate: { limit: 8, onChange: () => () => {} },
  })),
  {
    lie: "does not care about order",
    title: "hands over the messages of a key one at a time, in the order they were sent",
    twist: (link) => ({ take: (from, max, options) => link.take(from, max, { ...options, order: "none" }) }),
  },
  {
    lie: "counts what it gives back",
    title: "gives back what it took ahead when it is stopped, at no cost",
    twist: (link) => ({
      async giveBack(receipts) {
        for (const receipt of receipts) await link.extend(receipt, 1);
      },
    }),
  },
];

it.concurrent.each(liars)("finds out a transport that $lie", async (liar) => {
  const { title } = liar;
  const test = transportContract(memorySubject(liar)).find((candidate) => candidate.title === title);
  expect(test?.exempt).toBeUndefined();
  await expect(test?.run()).rejects.toThrow();
});

it.concurrent("asks for what a test needs, or for an exemption", async () => {
  const title = "rejects a send that the broker refuses";
  const test = transportContract(memorySubject({})).find((candidate) => candidate.title === title);
  await expect(test?.run()).rejects.toThrow("offers no `failSendsTo`: add it, or exempt this test and say why");
});

it.concurrent("has a title for every promise, none twice", () => {
  const titles = transportContract(memorySubject({})).map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

function memorySubject({
  twist = () => ({}),
  wrap = (transport) => transport,
}: Pick<Liar, "twist" | "wrap">): TransportSubject {
  const plain = memoryLink(memoryBroker());
  const link = { ...plain, ...twist(plain) };
  const capabilities = memoryCapabilities(true);
  return {
    name: "memory",
    capabilities,
    patienceMs: 1_000,
    connect: async () => wrap(pullTransport(link, { broker: "memory", capabilities, pollMs: 20 })),
  };
}

/** A liar that consumes with other options than it was given. */
function consumingWith(lie: string, title: string, change: (given: ConsumeOptions) => Partial<ConsumeOptions>): Liar {
  return {
    lie,
    title,
    wrap: (transport) => ({
      broker: transport.broker,
      capabilities: transport.capabilities,
      send: (...args) => transport.send(...args),
      consume: (from, handle, options) => transport.consume(from, handle, { ...options, ...change(options) }),
      close: () => transport.close(),
    }),
  };
}

function latestReceipts(link: Link) {
  const latest = new Map<number, MemoryReceipt>();
  const take: Link["take"] = async (...args) => {
    const taken = await link.take(...args);
    for (const { receipt } of taken) latest.set(receipt.seq, receipt);
    return taken;
  };
  return { take, of: (receipt: MemoryReceipt) => latest.get(receipt.seq) ?? receipt };
}
