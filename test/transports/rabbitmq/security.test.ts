import { afterAll, beforeAll, expect, it } from "vitest";
import { makeMessage } from "../../../src/domain/message.ts";
import { makeCertificate } from "../../servers/certificate.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { noRabbitmqServer, type RabbitmqServer, startRabbitmq } from "../../servers/rabbitmq.ts";
import { consume, openTransport, ownQueue } from "./workbench.ts";

describeServer("a RabbitMQ that speaks TLS", noRabbitmqServer, () => {
  const { certificate, ...key } = makeCertificate();
  let server: RabbitmqServer;
  beforeAll(async () => {
    server = await startRabbitmq({ certificate: { certificate, ...key } });
  });
  afterAll(() => server?.close());

  it("takes and gives messages over TLS", async () => {
    const queue = ownQueue();
    const transport = openTransport(server.secureUrl, { tls: { ca: certificate } });
    await transport.send(queue, makeMessage({ body: "secret" }));
    const received = consume(transport, queue);
    await received.count(1);
    expect(received.bodies()).toEqual(["secret"]);
  });

  it("is not spoken to if nobody vouches for its certificate", async () => {
    const sending = openTransport(server.secureUrl).send(ownQueue(), makeMessage({ body: "x" }));
    await expect(sending).rejects.toThrow("self-signed certificate");
  });

  it("is said to refuse a user or a password, and is tried again", async () => {
    const url = server.url.replace("guest:guest", "guest:wrong");
    const sending = openTransport(url).send(ownQueue(), makeMessage({ body: "x" }));
    await expect(sending).rejects.toThrow("refuses user guest or the password, which both stand in `url`");
    const received = consume(openTransport(url), ownQueue());
    await received.told("connection-lost");
    expect(String(received.incidents[0]?.error)).toContain("refuses user guest or the password");
    expect(received.incidents[0]?.retryInMs).toBeGreaterThan(0);
  });

  it("is said to have no virtual host of that name", async () => {
    const sending = openTransport(`${server.url}/elsewhere`).send(ownQueue(), makeMessage({ body: "x" }));
    await expect(sending).rejects.toThrow("has no virtual host elsewhere for user guest");
  });
});
