import { afterAll, beforeAll } from "vitest";
import { type RabbitmqBroker, rabbitmqBroker } from "./rabbitmq.ts";

/** One broker for all tests of a file; each uses queues of its own. */
export function useRabbitmq(): { readonly url: string } {
  let broker: RabbitmqBroker | undefined;
  beforeAll(async () => {
    broker = await rabbitmqBroker();
  });
  afterAll(() => broker?.close());
  return {
    get url() {
      return broker?.url ?? "";
    },
  };
}
