import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createConsumer, makeMessage, officeReports } from "../../src/index.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { postgresTransport } from "../../src/transports/postgres/transport.ts";
import { rabbitmqTransport } from "../../src/transports/rabbitmq/transport.ts";
import type { Transport } from "../../src/transports/transport.ts";
import { dloHere } from "../cli/terminal.ts";
import { describeServer } from "../servers/describe-server.ts";
import { noPostgres } from "../servers/postgres.ts";
import { noRabbitmq } from "../servers/rabbitmq.ts";
import { usePostgres } from "../servers/use-postgres.ts";
import { useRabbitmq } from "../servers/use-rabbitmq.ts";

interface Letters {
  readonly items: readonly { readonly id: string }[];
}

interface Plan {
  readonly id: string;
  readonly state: string;
  readonly verdict: string | null;
  readonly counts: { readonly toSend: number; readonly ackRequired: number; readonly sent: number };
}

/** One person at a terminal, over that source. */
function terminalOver(config: string, databaseUrl: string) {
  const folder = mkdtempSync(join(tmpdir(), "dlo-printed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "dlo.config.yaml");
  writeFileSync(file, `version: 1\nsources:\n  - ${config}\n`);
  const run = (...line: string[]) => dloHere([...line, "--config", file], { DATABASE_URL: databaseUrl, USER: "ops-1" });
  return {
    run,
    json: async <Answer>(...line: string[]) => JSON.parse((await run(...line, "--json")).stdout) as Answer,
    /** The command that a text ends with, with what it leaves to people filled in. */
    next(text: string) {
      const [, command = ""] = /Next: dlo (.+)$/m.exec(text) ?? [];
      const words = command.replace("'…'", "checked").replace("WHO", "ops-2").split(" ");
      return run(...words);
    },
  };
}

/** A consumer whose handler fails while `isDown`. */
function openShop(transport: Transport) {
  const shop = { isDown: true };
  const reports = officeReports({ transport });
  const consumer = createConsumer({
    ...{ transport, queue: { name: "orders" }, service: "shop", version: "1.8.2", breaker: false },
    ...{ retry: { maxAttempts: 1 }, observers: [reports] },
    handler: async () => {
      if (shop.isDown) throw Object.assign(new Error("connect ECONNREFUSED payments:443"), { code: "ECONNREFUSED" });
    },
  });
  void consumer.start();
  onTestFinished(async () => {
    await consumer.stop();
    await reports.close();
    await transport.close();
  });
  return shop;
}

type Terminal = ReturnType<typeof terminalOver>;

async function drained({ run, json }: Terminal, n: number): Promise<readonly string[]> {
  let ids: readonly string[] = [];
  await eventually(
    async () => {
      await run("drain", "s/orders.dlq", "--idle", "500ms");
      ids = (await json<Letters>("letters", "-q", "state:open")).items.map(({ id }) => id);
      expect(ids).toHaveLength(n);
    },
    { withinMs: 60_000 },
  );
  return ids;
}

describeServer("the command that a plan with risks prints", noPostgres ?? noRabbitmq, () => {
  const postgres = usePostgres();
  const rabbitmq = useRabbitmq();

  it("is accepted as it stands, from the request to the run", async () => {
    // Without the management API, it cannot be seen whether a second failure would be kept.
    const at = terminalOver(`{ name: s, broker: rabbitmq, url: "${rabbitmq.url}" }`, postgres.url);
    const transport = rabbitmqTransport({ url: rabbitmq.url });
    const shop = openShop(transport);
    for (const n of [1, 2]) {
      await transport.send({ name: "orders" }, makeMessage({ body: `{"id":${n}}`, key: `k-${n}` }));
    }
    await drained(at, 2);
    shop.isDown = false;
    const planned = await at.run("replay", "plan", "-q", "state:open");
    const [id = ""] = /rpl_\w+/.exec(planned.stdout) ?? [];
    const codes = new Set(
      [...planned.stdout.matchAll(/dlo replay acknowledge \S+ --code (\S+)/g)].map(([, code]) => code),
    );
    for (const code of codes) {
      const word = await at.run("replay", "acknowledge", id, "--code", code ?? "", "--reason", "checked");
      expect([word.code, word.stderr]).toEqual([0, ""]);
    }
    const asked = await at.run("replay", "ask", id, "--reason", "payments is back");
    expect(asked.stdout).toContain("--risks ");
    const approved = await at.next(asked.stdout);
    expect([approved.code, approved.stderr]).toEqual([0, ""]);
    const ran = await at.next(approved.stdout);
    expect([ran.code, ran.stdout]).toEqual([0, expect.stringContaining("2 confirmed")]);
  });
});

describeServer("a plan that sends nothing", noPostgres, () => {
  const postgres = usePostgres();
  const open = async () => {
    const at = terminalOver(`{ name: s, broker: postgres, url: "${postgres.url}" }`, postgres.url);
    const transport = postgresTransport({ database: postgres.database });
    return { at, transport, shop: openShop(transport) };
  };

  it("cannot be asked for, approved or started: that says why, and what helps", async () => {
    const { at, transport } = await open();
    await transport.send({ name: "orders.dlq" }, makeMessage({ body: "{}" }));
    const [letter = ""] = await drained(at, 1);
    const { id, counts } = await at.json<Plan>("replay", "plan", "--id", letter);
    expect(counts).toMatchObject({ toSend: 0, ackRequired: 0 });
    const asked = await at.run("replay", "ask", id, "--reason", "now");
    expect([asked.code, asked.stderr]).toEqual([
      6,
      expect.stringContaining("sends no letter: 1 can't be sent. See why with `dlo replay items"),
    ]);
    expect((await at.json<Plan>("replay", "show", id)).state).toBe("planned");
    await at.run("letters", "drop", letter, "--reason", "done with");

    // Everything is taken out between the request and the word.
    const { shop } = await open();
    await transport.send({ name: "orders" }, makeMessage({ body: '{"id":1}', key: "k-1" }));
    const [another = ""] = await drained(at, 1);
    shop.isDown = false;
    const plan = await at.json<Plan>("replay", "plan", "-q", "state:open");
    const waiting = await at.run("replay", "ask", plan.id, "--reason", "now");
    await at.run("replay", "exclude", plan.id, "--items", "1", "--reason", "not this one");
    const words = /Next: dlo (replay approve \S+ --hash \S+)/.exec(waiting.stdout)?.[1]?.split(" ") ?? [];
    const approved = await at.run(...words, "--as", "ops-2");
    expect([approved.code, approved.stderr]).toEqual([6, expect.stringContaining("sends no letter: 1 was left out.")]);
    await at.run("replay", "cancel", plan.id, "--reason", "nothing to do");
    await at.run("letters", "drop", another, "--reason", "done with");
  });

  it("because others took its letters in the meantime, does not end clean", async () => {
    const { at, transport, shop } = await open();
    await transport.send({ name: "orders" }, makeMessage({ body: '{"id":7}', key: "k-7" }));
    await drained(at, 1);
    shop.isDown = false;
    const runs: string[] = [];
    for (const _ of ["first", "second"]) {
      const plan = await at.json<Plan>("replay", "plan", "-q", "state:open");
      const asked = await at.run("replay", "ask", plan.id, "--reason", "payments is back");
      await at.next(asked.stdout);
      runs.push(plan.id);
    }
    const [first = "", second = ""] = runs;
    expect((await at.run("replay", "run", first, "--expect-count", "1")).code).toBe(0);
    const ended = await at.run("replay", "run", second, "--expect-count", "1");
    expect([ended.code, ended.stdout]).toEqual([6, expect.stringContaining("finished nothing sent")]);
    expect(ended.stdout).not.toContain("clean");
    expect(ended.stdout).toContain(`Next: dlo replay items ${second}`);
    expect((await at.run("replay", "watch", second)).code).toBe(6);
  });
});
