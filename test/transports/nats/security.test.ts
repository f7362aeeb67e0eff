import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { natsView } from "../../../src/sources/nats-source.ts";
import { streamOf } from "../../../src/transports/nats/facts.ts";
import { makeCertificate } from "../../servers/certificate.ts";
import { describeServer } from "../../servers/describe-server.ts";
import { type NatsServer, noNatsServer, startNats } from "../../servers/nats.ts";

describeServer("a source at a NATS that wants TLS", noNatsServer, () => {
  const folder = mkdtempSync(join(tmpdir(), "dlo-nats-tls-"));
  const [ca, key] = [join(folder, "ca.pem"), join(folder, "key.pem")];
  let server: NatsServer;
  beforeAll(async () => {
    const made = makeCertificate();
    writeFileSync(ca, made.certificate);
    writeFileSync(key, made.key, { mode: 0o600 });
    server = await startNats(`tls: { cert_file: "${ca}", key_file: "${key}" }`);
  });
  afterAll(async () => {
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function look(query: string) {
    const { connection } = natsView(`${server.url}?${query}`);
    onTestFinished(() => connection.close());
    return streamOf(connection, "orders");
  }

  it("is opened with the certificate that its address names", async () => {
    expect(await look(`ca=${ca}`)).toBeNull();
  });

  it("is not opened without, nor with credentials that cannot be read, and says so", async () => {
    await expect(look("name=x")).rejects.toThrow();
    await expect(look(`ca=${ca}&credentials=${folder}/none.creds`)).rejects.toMatchObject({ code: "ACCESS_REFUSED" });
  });
});
