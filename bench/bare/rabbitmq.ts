import { type ConfirmChannel, type ConsumeMessage, connect } from "amqplib";
import { type BareClient, type BareMessage, batchSize, gathering } from "./bare-client.ts";

/** Messages that are published and not yet confirmed. */
const window = 1_000;

export async function bareRabbitmq(url: string): Promise<BareClient> {
  const model = await connect(url, { noDelay: true });
  return {
    async read(queue) {
      const channel = await model.createChannel();
      await channel.prefetch(batchSize * 4);
      const { push, next } = gathering<ConsumeMessage>();
      await channel.consume(queue, (message) => {
        if (message !== null) push(message);
      });
      return {
        async next() {
          const batch = await next();
          // One word acknowledges all before it.
          return { count: batch.length, acknowledge: async () => channel.ack(batch.at(-1) as ConsumeMessage, true) };
        },
        close: () => channel.close(),
      };
    },
    async send(queue, messages) {
      const channel = await model.createConfirmChannel();
      await publishAll(channel, queue, messages);
      await channel.close();
    },
    close: () => model.close(),
  };
}

/** Publishes what was made ready before, and waits for the broker's word for each. */
export function publishAll(channel: ConfirmChannel, queue: string, messages: readonly BareMessage[]): Promise<void> {
  return new Promise((resolve, reject) => {
    let [next, confirmed] = [0, 0];
    const publishNext = () => {
      const message = messages[next];
      if (message === undefined) return;
      next += 1;
      const options = { persistent: true, mandatory: true, headers: message.headers };
      channel.publish("", queue, message.body, options, (error) => {
        if (error) return reject(error as Error);
        confirmed += 1;
        if (confirmed === messages.length) resolve();
        else publishNext();
      });
    };
    for (let flying = 0; flying < window; flying++) publishNext();
  });
}
