import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { HeadObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { describe, expect, it, onTestFinished } from "vitest";
import { openOffice } from "../../src/compose.ts";
import { type S3BodyStoreOptions, s3BodyStore } from "../../src/stores/s3-body-store.ts";
import { systemClock } from "../../src/system/host.ts";
import { tester } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { useS3 } from "../servers/s3.ts";
import { usePostgres } from "../servers/use-postgres.ts";

const body = Uint8Array.from({ length: 300_000 }, (_, n) => n % 251);
const name = createHash("sha256").update(body).digest("hex");
const dayMs = 86_400_000;

describe("bodies in a bucket", () => {
  const s3 = useS3();
  const clock = { ...systemClock, at: Date.now(), now: () => clock.at };
  const store = (more: Partial<S3BodyStoreOptions> = {}) =>
    s3BodyStore({ bucket: s3.bucket, prefix: "", endpoint: s3.endpoint, region: null, clock, ...more });

  it("come back byte for byte, however often they were kept, and are null where they never were", async () => {
    const bodies = await store();
    expect(await bodies.read(name)).toBeNull();
    await Promise.all([bodies.keep(name, body), bodies.keep(name, body)]);
    expect(Buffer.from((await bodies.read(name)) ?? []).equals(body)).toBe(true);
  });

  it("are under their prefix, and not under another", async () => {
    await (await store({ prefix: "office/eu" })).keep(name, body);
    expect(await (await store({ prefix: "office/us" })).read(name)).toBeNull();
    const client = new S3Client({ endpoint: s3.endpoint, region: "us-east-1", forcePathStyle: true });
    onTestFinished(() => client.destroy());
    const found = await client.send(new HeadObjectCommand({ Bucket: s3.bucket, Key: `office/eu/${name}` }));
    expect(found.ContentLength).toBe(body.length);
  });

  it("are let go when nobody has kept them for a day, and not before", async () => {
    const bodies = await store({ prefix: "old" });
    await bodies.keep(name, body);
    clock.at = Date.now() + dayMs / 2;
    await bodies.forget(name);
    expect(await bodies.read(name)).not.toBeNull();
    clock.at = Date.now() + dayMs + 60_000;
    await bodies.forget(name);
    await bodies.forget(name);
    expect(await bodies.read(name)).toBeNull();
  });

  it("are not taken for missing where the bucket is", async () => {
    const elsewhere = await store({ bucket: "nobody-made-this" });
    const refusal = { code: "STORE_UNAVAILABLE", details: { bucket: "nobody-made-this", reason: "NoSuchBucket" } };
    await expect(elsewhere.read(name)).rejects.toMatchObject(refusal);
    await expect(elsewhere.keep(name, body)).rejects.toMatchObject(refusal);
    await expect(elsewhere.read(name)).rejects.toThrow("Make it, or name another one in `ledger.bodies.path`.");
  });

  it("are told of with what is missing, where the office may not read them", async () => {
    const endpoint = await serve((_request, response) => response.writeHead(403).end());
    const forbidden = await store({ endpoint });
    await expect(forbidden.read(name)).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    await expect(forbidden.forget(name)).rejects.toThrow("s3:ListBucket");
  });

  it("ask for the right to delete only where somebody lets them go", async () => {
    const endpoint = await serve((_request, response) => response.writeHead(403).end());
    await expect((await store({ endpoint })).read(name)).rejects.toThrow("s3:DeleteObject");
    const told = expect((await store({ endpoint, forgets: false })).read(name)).rejects;
    await told.not.toThrow("s3:DeleteObject");
  });

  it("may take longer to go than the server may be silent", async () => {
    const large = new Uint8Array(24_000_000);
    const readSlowly = async (request: IncomingMessage) => {
      let slowChunks = 150;
      for await (const _ of request) if (slowChunks-- > 0) await setTimeout(25);
    };
    // A try that was broken off wants no answer.
    const endpoint = await serve(
      (request, response) =>
        void readSlowly(request).then(
          () => response.end(),
          () => {},
        ),
    );
    const slow = await store({ endpoint, answerWithinMs: 3_000 });
    const keeping = slow.keep(createHash("sha256").update(large).digest("hex"), large);
    await expect(keeping).resolves.toBeUndefined();
  });

  it("are not waited for where the server says nothing", async () => {
    const silent = await store({ endpoint: await serve(() => {}), answerWithinMs: 20 });
    await expect(silent.read(name)).rejects.toMatchObject({
      code: "STORE_UNAVAILABLE",
      details: { bucket: s3.bucket },
    });
  });
});

/** Gives the address of a server that does so, until the test ends. */
async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describeServer("an office with a bucket for large bodies", noPostgres, () => {
  const postgres = usePostgres();
  const s3 = useS3();

  it("keeps them there, shows them and exports them whole", async () => {
    const folder = mkdtempSync(join(tmpdir(), "dlo-s3-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const configFile = join(folder, "dlo.config.yaml");
    const bodies = `{ store: s3, path: ${s3.bucket}/bodies, endpoint: "\${S3_URL}" }`;
    writeFileSync(configFile, `version: 1\nledger: { bodies: ${bodies} }\n`);
    const office = await openOffice({
      ...{ databaseUrl: postgres.url, dataFolder: folder, configFile, version: "0.0.0" },
      env: { S3_URL: s3.endpoint },
    });
    onTestFinished(() => office.close());
    const value = { hex: Buffer.from(body).toString("hex") };
    const text = JSON.stringify({ transport: "kafka", topic: "orders.DLT", headers: [], value });
    const imported = { source: "kafka", documents: [{ text, line: 1, ordinal: 1 }] };
    expect(await office.call("letters.import", tester, imported)).toMatchObject({ held: 1, problems: [] });
    const { items } = await office.call("letters.list", tester, {});
    const { body: shown } = await office.call("letters.get", tester, { id: items[0]?.id ?? "" });
    expect(shown).toMatchObject({ bytes: body.length, ref: `s3:${name}` });
    const { lines } = await office.call("letters.export", tester, { unmaskedBecause: "to compare" });
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { body: { base64: Buffer.from(body).toString("base64") } },
    ]);
  });
});
