import { createHash } from "node:crypto";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { afterEach, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import { idOfUuid, makeId, showId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { openLedger } from "../../src/ledger/ledger.ts";
import { officeItself } from "../../src/office/intake/own-drain.ts";
import { runRetention } from "../../src/office/retention/run-retention.ts";
import { s3BodyStore } from "../../src/stores/s3-body-store.ts";
import { systemClock } from "../../src/system/host.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { dlo } from "../cli/dlo.ts";
import { deadLetter, hold, testRoom } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { minioKeys, minioRoot, noMinio, type S3Keys, useMinio } from "../servers/minio.ts";
import { noMoto, useMoto } from "../servers/moto.ts";
import { noPostgres } from "../servers/postgres.ts";
import { makeFolder } from "../servers/server-process.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { root } from "../sources.ts";

const minuteMs = 60_000;
const dayMs = 86_400_000;
const bucket = "letters";
const prefix = "bodies";
const everyone: S3Keys = { AWS_ACCESS_KEY_ID: "tester", AWS_SECRET_ACCESS_KEY: "a secret of no worth" };

afterEach(() => {
  vi.unstubAllEnvs();
});

interface Policy {
  readonly Version: string;
  readonly Statement: readonly { readonly Action: readonly string[] }[];
}

/** As the guide has it, for the bucket and prefix of these tests. */
function guidePolicy(): Policy {
  const guide = readFileSync(join(root, "docs/guides/drain-and-triage.md"), "utf8");
  return JSON.parse(/```json\n([\s\S]*?)```/.exec(guide)?.[1] ?? "") as Policy;
}

const without = (action: string): object => {
  const { Statement, ...policy } = guidePolicy();
  const others = Statement.map((each) => ({ ...each, Action: each.Action.filter((one) => one !== action) }));
  return { ...policy, Statement: others.filter(({ Action }) => Action.length > 0) };
};

/** A client that does what people do at a bucket by hand. */
async function byHand(endpoint: string, { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, ...more }: S3Keys, ca?: string) {
  const sessionToken = more.AWS_SESSION_TOKEN;
  const client = new S3Client({
    ...{ endpoint, region: "us-east-1", forcePathStyle: true },
    credentials: {
      ...{ accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY },
      ...(sessionToken === undefined ? {} : { sessionToken }),
    },
    ...(ca === undefined ? {} : { requestHandler: { httpsAgent: { ca } } }),
  });
  return {
    makeBucket: () => client.send(new CreateBucketCommand({ Bucket: bucket })),
    put: (Key: string) => client.send(new PutObjectCommand({ Bucket: bucket, Key, Body: "x" })),
    remove: (Key: string) => client.send(new DeleteObjectCommand({ Bucket: bucket, Key })),
    keys: async () => {
      const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      return Contents.flatMap(({ Key }) => Key ?? []).toSorted((one, other) => one.localeCompare(other));
    },
    close: () => client.destroy(),
  };
}

/** Bodies in that bucket, by the keys of the environment as people give them. */
function storeAt(endpoint: string, keys: S3Keys, now: () => number = systemClock.now) {
  for (const [name, value] of Object.entries({ AWS_SESSION_TOKEN: "", ...keys })) vi.stubEnv(name, value);
  return s3BodyStore({ bucket, prefix, endpoint, region: null, clock: { ...systemClock, now } });
}

const large = (text: string) => Buffer.from(text.repeat(300_000));
const hashOf = (body: Uint8Array) => createHash("sha256").update(body).digest("hex");

describeServer("bodies in a MinIO, with the rights of the guide alone", noMinio, () => {
  const minio = useMinio();
  beforeAll(async () => {
    const hand = await byHand(minio.endpoint, minioRoot);
    await hand.makeBucket();
    hand.close();
  });

  it("are stored, read, told from missing ones and let go", async () => {
    const keys = await minioKeys(minio.endpoint, guidePolicy());
    const tomorrow = () => Date.now() + dayMs + minuteMs;
    const store = await storeAt(minio.endpoint, keys, tomorrow);
    const body = large("a");
    expect(await store.read(hashOf(body))).toBeNull();
    await store.keep(hashOf(body), body);
    expect(Buffer.from((await store.read(hashOf(body))) ?? []).equals(body)).toBe(true);
    await store.forget(hashOf(body));
    expect(await store.read(hashOf(body))).toBeNull();
  });

  it("give no right on anything else in the bucket", async () => {
    const hand = await byHand(minio.endpoint, await minioKeys(minio.endpoint, guidePolicy()));
    onTestFinished(() => hand.close());
    await expect(hand.put("elsewhere/x")).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(hand.remove("elsewhere/x")).rejects.toMatchObject({ name: "AccessDenied" });
    await expect(hand.makeBucket()).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  // Without s3:ListBucket Amazon's S3 refuses a key that is missing, and MinIO says that it is.
  it.each(["s3:PutObject", "s3:GetObject", "s3:DeleteObject"] as const)(
    "are refused with the names of the rights where %s is missing",
    async (right) => {
      const body = large("b");
      const tomorrow = () => Date.now() + dayMs + minuteMs;
      await (await storeAt(minio.endpoint, await minioKeys(minio.endpoint, guidePolicy()))).keep(hashOf(body), body);
      const store = await storeAt(minio.endpoint, await minioKeys(minio.endpoint, without(right)), tomorrow);
      const tries = {
        "s3:PutObject": () => store.keep(hashOf(body), body),
        "s3:GetObject": () => store.read(hashOf(body)),
        "s3:DeleteObject": () => store.forget(hashOf(body)),
      };
      await expect(tries[right]()).rejects.toMatchObject({
        code: "STORE_UNAVAILABLE",
        message: expect.stringContaining("s3:GetObject, s3:PutObject and s3:DeleteObject on its objects") as string,
      });
    },
  );
});

for (const { server, missing, use, keysAt } of [
  { server: "MinIO", missing: noMinio, use: useMinio, keysAt: (at: string) => minioKeys(at, guidePolicy()) },
  { server: "moto", missing: noMoto, use: useMoto, keysAt: async () => everyone },
]) {
  describeServer(`retention of bodies in ${server}`, missing ?? noPostgres, () => {
    const postgres = usePostgres();
    const s3 = use();

    it("deletes objects that no letter has any more, and no others", { timeout: 2 * minuteMs }, async () => {
      const hand = await byHand(s3.endpoint, server === "MinIO" ? minioRoot : everyone);
      onTestFinished(() => hand.close());
      await hand.makeBucket();
      await hand.put("elsewhere/x");
      const now = Date.now();
      // What was kept within the last day stays: a letter that refers to it may be about to be committed.
      const store = await storeAt(s3.endpoint, await keysAt(s3.endpoint), () => now + dayMs + minuteMs);
      const ledger = await openLedger({ database: postgres.database });
      const arrive = async (body: Uint8Array, daysAgo: number) => {
        const at = now - daysAgo * dayMs;
        const room = {
          ...{ ...testRoom(), bodies: store },
          newLetterId: () => ({ id: makeId(at, crypto.randomUUID()), arrivedAt: at }),
        };
        const position = crypto.randomUUID();
        await hold(ledger, [{ letter: deadLetter({ body }), found: { kind: "position", position } }], { room });
      };
      const [gone, shared, young] = [large("c"), large("d"), large("e")];
      await arrive(gone, 200);
      await arrive(shared, 200);
      await arrive(shared, 3);
      await arrive(young, 3);
      expect(await hand.keys()).toEqual(
        [...[gone, shared, young].map((body) => `${prefix}/${hashOf(body)}`), "elsewhere/x"].toSorted(),
      );
      const parts = { ledger, bodies: store, clock: systemClock, retentionMs: 90 * dayMs };
      const { dropped } = await runRetention(parts, { actor: officeItself, now });
      expect(dropped.reduce((sum, { letters }) => sum + letters, 0)).toBe(2);
      expect(await hand.keys()).toEqual(
        [...[shared, young].map((body) => `${prefix}/${hashOf(body)}`), "elsewhere/x"].toSorted(),
      );
    });
  });
}

describeServer("dlo with a MinIO whose certificate is of an authority of its own", noMinio ?? noPostgres, () => {
  const postgres = usePostgres();
  const minio = useMinio({ isEncrypted: true });

  it("drains into it, shows from it and says what was deleted there; and what to do without the authority", {
    timeout: 6 * minuteMs,
  }, async () => {
    const folder = makeFolder("minio-office", undefined);
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [file, ca] = [join(folder, "dlo.config.yaml"), join(folder, "ca.pem")];
    writeFileSync(ca, minio.certificate ?? "");
    const place = `{ store: s3, path: ${bucket}/${prefix}, endpoint: "${minio.endpoint}" }`;
    const source = `{ name: pg, broker: postgres, url: "\${DATABASE_URL}" }`;
    writeFileSync(file, `version: 1\nledger: { url: "\${DATABASE_URL}", bodies: ${place} }\nsources: [${source}]\n`);
    const hand = await byHand(minio.endpoint, minioRoot, minio.certificate ?? "");
    onTestFinished(() => hand.close());
    await hand.makeBucket();
    const transport = postgresTransport({ database: postgres.database });
    onTestFinished(() => transport.close());
    const body = large("f").toString();
    await transport.send({ name: "bills.dlq" }, makeMessage({ body }));
    const env = { DLO_DATA: folder, DLO_CONFIG: file, DATABASE_URL: postgres.url, ...minioRoot };

    const refused = await dlo(["drain", "pg/bills.dlq"], env);
    expect([refused.code, refused.stderr]).toEqual([9, expect.stringContaining("NODE_EXTRA_CA_CERTS")]);
    expect((await postgres.pool.query("select from dlo.messages")).rowCount).toBe(1);
    // As if the minute that its lease has were over.
    await postgres.pool.query("update dlo.messages set leased_until = null");

    const trusting = { ...env, NODE_EXTRA_CA_CERTS: ca };
    expect(await dlo(["drain", "pg/bills.dlq"], trusting)).toMatchObject({ code: 0 });
    expect(await hand.keys()).toEqual([`${prefix}/${hashOf(Buffer.from(body))}`]);
    const { rows } = await postgres.pool.query<{ id: string }>("select id from dlo.letters");
    const id = showId("letter", idOfUuid(rows[0]?.id ?? ""));
    const given = await dlo(["letters", "body", id, "--unmasked", "--reason", "to compare"], trusting);
    expect(given.stdout === body).toBe(true);

    await hand.remove(`${prefix}/${hashOf(Buffer.from(body))}`);
    const { code, stdout } = await dlo(["letters", "show", id], trusting);
    expect(code).toBe(0);
    expect(stdout.replaceAll(/\s+/g, " ")).toMatch(
      new RegExp(
        `was stored on [-\\d]+ [:\\d]+ UTC as s3://letters/bodies/${hashOf(Buffer.from(body))}, and was deleted`,
      ),
    );
  });
});
