import { afterAll, beforeAll } from "vitest";
import { type RabbitmqBroker, rabbitmqBroker } from "./rabbitmq.ts";

/** One broker for all tests of a file; each uses queues of its own. */
export function useRabbitmq(): Pick<RabbitmqBroker, "url" | "managementUrl"> {
  let broker: RabbitmqBroker | undefined;
  beforeAll(async () => {
    broker = await rabbitmqBroker();
  });
  afterAll(() => broker?.close());
  return {
    get url() {
      return broker?.url ?? "";
    },
    get managementUrl() {
      return broker?.managementUrl ?? "";
    },
  };
}
