import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DeleteObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { expect, it, onTestFinished } from "vitest";
import { openOffice } from "../../src/compose.ts";
import { idOfUuid, showId } from "../../src/domain/ids.ts";
import { makeMessage } from "../../src/domain/message.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { exitCodeOf, startDlo, textOf } from "../cli/dlo.ts";
import { tester } from "../ledger/letters.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { type UsedS3, useS3 } from "../servers/s3.ts";
import { freePort } from "../servers/server-process.ts";
import { startSilentServer } from "../servers/silent-server.ts";
import { type UsedPostgres, usePostgres } from "../servers/use-postgres.ts";

const minuteMs = 60_000;
const body = JSON.stringify({ text: "x".repeat(300_000) });
const sha256 = createHash("sha256").update(body).digest("hex");

/** A queue with a large message, and a configuration for commands that keep bodies in a bucket. */
async function openQueue(postgres: UsedPostgres, s3: UsedS3) {
  const folder = mkdtempSync(join(tmpdir(), "dlo-s3-away-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "dlo.config.yaml");
  writeFileSync(
    file,
    `version: 1
ledger: { url: "\${DATABASE_URL}", bodies: { store: s3, path: ${s3.bucket}/bodies, endpoint: "\${S3_URL}" } }
sources: [{ name: pg, broker: postgres, url: "\${DATABASE_URL}" }]
`,
  );
  const keys = { AWS_ACCESS_KEY_ID: "tester", AWS_SECRET_ACCESS_KEY: "a secret of no worth" };
  const env = { DLO_DATA: folder, DLO_CONFIG: file, DATABASE_URL: postgres.url, S3_URL: s3.endpoint, ...keys };
  const transport = postgresTransport({ database: postgres.database });
  onTestFinished(() => transport.close());
  const queue = `bills-${crypto.randomUUID().slice(0, 8)}.dlq`;
  const left = async () => {
    const { rows } = await postgres.pool.query<{ n: string }>(
      "select count(*) as n from dlo.messages where queue = $1",
      [queue],
    );
    return Number(rows[0]?.n);
  };
  const run = async (args: readonly string[], at = s3.endpoint) => {
    const began = performance.now();
    const child = startDlo(args, { ...env, S3_URL: at });
    // What waits forever is ended, and has no code.
    const late = setTimeout(() => child.kill("SIGKILL"), 75_000);
    const [stdout, stderr, code] = await Promise.all([textOf(child.stdout), textOf(child.stderr), exitCodeOf(child)]);
    clearTimeout(late);
    return { code, stdout, stderr, tookMs: performance.now() - began };
  };
  const letter = async () => {
    const { rows } = await postgres.pool.query<{ id: string }>("select id from dlo.letters where drained_from = $1", [
      queue,
    ]);
    return showId("letter", idOfUuid(rows[0]?.id ?? ""));
  };
  const sendAnother = () => transport.send({ name: queue }, makeMessage({ body }));
  await sendAnother();
  /** As a server has it, in this process. */
  const serve = async (at: string) => {
    const settings = { databaseUrl: postgres.url, dataFolder: folder, configFile: file, version: "0.0.0" };
    const office = await openOffice({ ...settings, env: { ...env, S3_URL: at } });
    onTestFinished(() => office.close());
    return office;
  };
  return { queue, run, serve, sendAnother, left, letter };
}

describeServer("large bodies while their bucket is away", noPostgres, () => {
  const postgres = usePostgres();
  const s3 = useS3();

  const open = () => openQueue(postgres, s3);

  it.each(["refuses", "says nothing"])(
    "end a drain with an error, and stay in their queue, where it %s",
    {
      timeout: 4 * minuteMs,
    },
    async (how) => {
      const { queue, run, left } = await open();
      const away = how === "refuses" ? `http://127.0.0.1:${await freePort()}` : await startSilentServer();
      const ended = await run(["drain", `pg/${queue}`], away);
      expect(ended.code).toBe(9);
      expect(ended.stderr).toContain(`The bucket ${s3.bucket}, where large bodies are kept, cannot be used`);
      expect(ended.stderr).toContain("what is not stored stays in the queue");
      expect(ended.tookMs).toBeLessThan(45_000);
      expect(await left()).toBe(1);
      // As if the minute that its lease has were over.
      await postgres.pool.query("update dlo.messages set leased_until = null where queue = $1", [queue]);
      expect(await run(["drain", `pg/${queue}`])).toMatchObject({ code: 0 });
      expect(await left()).toBe(0);
    },
  );

  it.each(["refuses", "says nothing"])(
    "leave all else of their letter to be shown soon, where it %s",
    {
      timeout: 4 * minuteMs,
    },
    async (how) => {
      const { queue, run, letter } = await open();
      expect(await run(["drain", `pg/${queue}`])).toMatchObject({ code: 0 });
      const id = await letter();
      const whole = await run(["letters", "show", id]);
      const away = how === "refuses" ? `http://127.0.0.1:${await freePort()}` : await startSilentServer();
      const shown = await run(["letters", "show", id], away);
      expect(shown.code).toBe(0);
      expect(shown.stdout).toContain("Its body can't be read now; all else is from the database.");
      expect(shown.stdout).toContain(s3.bucket);
      const facts = (text: string) => text.slice(text.indexOf("\nLetter\n"), text.indexOf("\nBody, "));
      expect(facts(shown.stdout)).toBe(facts(whole.stdout));
      // Two processes begin in very different times on a busy machine: what an answer takes is measured below, in one.
      expect(shown.tookMs - whole.tookMs).toBeLessThan(20_000);
    },
  );

  it("are refused soon by a server, which goes on with all else", { timeout: 4 * minuteMs }, async () => {
    const { queue, run, serve, letter, sendAnother } = await open();
    expect(await run(["drain", `pg/${queue}`])).toMatchObject({ code: 0 });
    const id = await letter();
    const { call } = await serve(await startSilentServer());
    const timed = async <Answer>(asking: Promise<Answer>) => {
      const began = performance.now();
      return { answer: await asking.catch((error: unknown) => error), tookMs: performance.now() - began };
    };
    const { answer: shown, tookMs } = await timed(call("letters.get", tester, { id }));
    expect(shown).toMatchObject({ id, body: { kind: "unavailable", text: null, bytes: body.length } });
    expect(tookMs).toBeLessThan(5_000);
    const { answer: file, tookMs: refusedMs } = await timed(call("letters.body", tester, { id }));
    expect(file).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(refusedMs).toBeLessThan(5_000);
    const { lines } = await call("letters.export", tester, { q: `id:${id}` });
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ body: { base64: null, why: "unavailable" } });
    await sendAnother();
    // A server gives each answer thirty seconds.
    const { answer: drained, tookMs: drainedMs } = await timed(call("queues.drain", tester, { source: "pg", queue }));
    expect(drained).toMatchObject({ code: "STORE_UNAVAILABLE" });
    expect(drainedMs).toBeLessThan(30_000);
  });

  it("are told from those that something else deleted: when they were stored, and by which key", {
    timeout: 4 * minuteMs,
  }, async () => {
    const { queue, run, letter } = await open();
    expect(await run(["drain", `pg/${queue}`])).toMatchObject({ code: 0 });
    const id = await letter();
    const client = new S3Client({ endpoint: s3.endpoint, region: "us-east-1", forcePathStyle: true });
    onTestFinished(() => client.destroy());
    await client.send(new DeleteObjectCommand({ Bucket: s3.bucket, Key: `bodies/${sha256}` }));
    const { code, stdout } = await run(["letters", "show", id]);
    expect(code).toBe(0);
    const said = stdout.replaceAll(/\s+/g, " ");
    expect(said).toContain("deleted");
    expect(said).toContain(`s3://${s3.bucket}/bodies/${sha256}`);
    expect(said).toMatch(/was stored on 20\d\d-\d\d-\d\d \d\d:\d\d/);
    const refused = await run(["letters", "body", id]);
    expect(refused.code).toBe(6);
    expect(refused.stderr).toContain(`s3://${s3.bucket}/bodies/${sha256}`);
  });
});
