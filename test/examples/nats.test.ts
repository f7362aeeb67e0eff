import { expect, it } from "vitest";
import { describeServer } from "../servers/describe-server.ts";
import { noNats } from "../servers/nats.ts";
import { useNats } from "../servers/use-nats.ts";
import { startExample } from "./start-example.ts";

describeServer("the example on NATS", noNats, () => {
  const nats = useNats();

  it("charges what can be charged, dead-letters the rest, and disturbs no other group", async () => {
    const { ended, lines } = startExample("nats/main.ts", [], { NATS_URL: nats.url });
    await ended;
    expect(
      lines()
        .filter((line) => !line.startsWith("the bank is away"))
        .toSorted(),
    ).toEqual([
      "dead letter in orders.paid.payments.dlq: unprocessable",
      "order 1: charged 250 cents, attempt 1",
      "order 1: packed",
      "order 2: charged 990 cents, attempt 3",
      "order 2: packed",
      "order 3: packed",
    ]);
  });
});
