import { afterAll, beforeAll } from "vitest";
import { type NatsBroker, natsBroker } from "./nats.ts";

/** One server for all tests of a file; each uses subjects of its own. */
export function useNats(): { readonly url: string } {
  let broker: NatsBroker | undefined;
  beforeAll(async () => {
    broker = await natsBroker();
  });
  afterAll(() => broker?.close());
  return {
    get url() {
      return broker?.url ?? "";
    },
  };
}
