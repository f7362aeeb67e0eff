import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMessage } from "../../../src/domain/message.ts";
import { eventually } from "../../../src/testing/eventually.ts";
import type { KafkaSasl } from "../../../src/transports/kafka/transport.ts";
import { makeCertificate } from "../../servers/certificate.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { kafkaUser, noKafkaServer, startSecureKafka } from "../../servers/kafka.ts";
import { consume, open, ownQueue } from "./bench.ts";

describeServer("a Kafka that wants TLS and a password", noKafkaServer, () => {
  const certificate = makeCertificate();
  let server: Awaited<ReturnType<typeof startSecureKafka>>;
  beforeAll(async () => {
    server = await startSecureKafka(certificate);
  });
  afterAll(() => server?.close());

  function secured(sasl: Partial<KafkaSasl> = {}, tls: { ca?: string } = { ca: certificate.certificate }) {
    const full = { mechanism: "SCRAM-SHA-512", ...kafkaUser, ...sasl } as const;
    return open({ brokers: server.secureBrokers, partitions: 1, answerWithinMs: 5_000, tls, sasl: full });
  }

  it.each(["PLAIN", "SCRAM-SHA-512"] as const)(
    "takes and gives messages of a user it knows by %s",
    async (mechanism) => {
      const queue = ownQueue();
      const transport = secured({ mechanism });
      await transport.send(queue, makeMessage({ body: "secret" }));
      const received = consume(transport, queue);
      await received.until(1);
      expect(received.bodies()).toEqual(["secret"]);
      expect(received.incidents).toEqual([]);
    },
  );

  it.each(["PLAIN", "SCRAM-SHA-512"] as const)("is said to refuse a wrong password by %s", async (mechanism) => {
    const transport = secured({ mechanism, password: "wrong" });
    const sending = transport.send(ownQueue(), makeMessage({ body: "x" }));
    await expect(sending).rejects.toThrow("refuses the mechanism, the user or the password in `sasl`");
  });

  it("is said to refuse a password by a consumer, which goes on trying", async () => {
    const received = consume(secured({ password: "wrong" }), ownQueue());
    const lost = () => received.incidents.find(({ kind }) => kind === "connection-lost");
    await eventually(() => lost() !== undefined, { withinMs: 120_000 });
    expect(String(lost()?.error)).toContain("refuses the mechanism, the user or the password in `sasl`");
    expect(lost()?.retryInMs).toBeGreaterThan(0);
  });

  it("is not spoken to if nobody vouches for its certificate", async () => {
    const sending = secured({}, {}).send(ownQueue(), makeMessage({ body: "x" }));
    await expect(sending).rejects.toThrow("self-signed certificate");
  });
});
