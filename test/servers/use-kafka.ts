import { afterAll, beforeAll } from "vitest";
import { type KafkaBroker, type KafkaBrokerOptions, kafkaBroker } from "./kafka.ts";

/** One broker for all tests of a file; each uses topics of its own. */
export function useKafka(options?: KafkaBrokerOptions): Pick<KafkaBroker, "brokers" | "sessionTimeoutMs"> {
  let broker: KafkaBroker | undefined;
  beforeAll(async () => {
    broker = await kafkaBroker(options);
  });
  afterAll(() => broker?.close());
  return {
    get brokers() {
      return broker?.brokers ?? [];
    },
    get sessionTimeoutMs() {
      return broker?.sessionTimeoutMs ?? 0;
    },
  };
}
