import { afterAll, beforeAll } from "vitest";
import { type RedisBroker, redisBroker } from "./redis.ts";

/** One server for all tests of a file; each uses streams of its own. */
export function useRedis(): { readonly url: string } {
  let broker: RedisBroker | undefined;
  beforeAll(async () => {
    broker = await redisBroker();
  });
  afterAll(() => broker?.close());
  return {
    get url() {
      return broker?.url ?? "";
    },
  };
}
