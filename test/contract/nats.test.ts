import { describe, it } from "vitest";
import type { TransportSubject } from "../../src/testing/transport-contract/bench.ts";
import { transportContract } from "../../src/testing/transport-contract.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noNats } from "../servers/nats.ts";
import { useNats } from "../servers/use-nats.ts";
import { natsSubject } from "./nats-subject.ts";

describeServer("transport: nats", noNats, () => {
  const nats = useNats();
  const url = () => nats.url;
  describe("a subject of which no group is named", () => hold(natsSubject("nats", url)));
  describe("a subject and a group", () =>
    hold(natsSubject("nats", url, { address: (name) => ({ name, group: "billing" }) })));
});

function hold(subject: TransportSubject): void {
  for (const { title, exempt, run } of transportContract(subject)) it.skipIf(exempt).concurrent(title, run);
}
