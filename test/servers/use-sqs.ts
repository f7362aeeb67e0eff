import { afterAll, beforeAll } from "vitest";
import { type SqsServer, sqsServer } from "./elasticmq.ts";

/** One server for all tests of a file; each uses queues of its own. */
export function useSqs(): Pick<SqsServer, "endpoint"> {
  let server: SqsServer | undefined;
  beforeAll(async () => {
    server = await sqsServer();
  });
  afterAll(() => server?.close());
  return {
    get endpoint() {
      return server?.endpoint ?? "";
    },
  };
}
