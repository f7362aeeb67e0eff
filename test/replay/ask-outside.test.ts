import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, expect, it, onTestFinished } from "vitest";
import { uuidOf } from "../../src/domain/ids.ts";
import type { Protocol } from "../../src/domain/protocol.ts";
import { type Ledger, openLedger } from "../../src/ledger/ledger.ts";
import { acknowledge } from "../../src/office/replay/approve-replay.ts";
import { guardedClient } from "../../src/outbound/guarded-client.ts";
import { onEachDatabase } from "../servers/each-database.ts";
import { holdLetters, itemsOf, planned, replayWorld, run, started, stateOf } from "./world.ts";

/** What each path answers; the letters' keys are part of it. */
type Answers = Record<string, { readonly status?: number; readonly body?: string }>;

onEachDatabase("a letter whose effect may have happened", (tested) => {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await openLedger({ database: tested.database });
  });

  async function outside(answers: Answers): Promise<{ readonly host: string; readonly asked: string[] }> {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      const { status = 404, body = "" } = answers[request.url ?? ""] ?? {};
      response.writeHead(status).end(body);
    }).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
  }

  /** An office under that protocol that may call this host, or nobody. */
  function office(protocol: Partial<Protocol>, allow: readonly string[]) {
    const { parts, sent } = replayWorld(ledger, { protocol: { ...protocol, approvals: noApprovals } });
    return { parts: { ...parts, call: (url: string) => guardedClient({ allow }).call(url) }, sent };
  }
  const noApprovals = { n: 0, roles: [], expiresS: 3_600, exemptUpTo: 10 };

  async function uncertain(...keys: readonly string[]): Promise<readonly Uint8Array[]> {
    const letters: Uint8Array[] = [];
    for (const key of keys) letters.push(...(await holdLetters(ledger, ["{}"], { "dlo-key": key })));
    const keyed = letters.map((letter, index) => [uuidOf(letter), keys[index]] as const);
    for (const [letter, key] of keyed) {
      const statement = `update ${ledger.at}.letters set side_effect = 'uncertain', key = $2 where id = $1`;
      await ledger.database.query(statement, [letter, key]);
    }
    return letters;
  }

  it("goes where the policy's probe says that it did not happen, and only there", async () => {
    const { host, asked } = await outside({
      "/charges/a%2F1": { status: 200, body: '{"done":false}' },
      "/charges/b": { status: 200, body: '{"done":true}' },
      "/charges/c": { status: 200, body: "maybe" },
      "/charges/d": { status: 500, body: '{"done":false}' },
    });
    const { parts, sent } = office({ probe: { url: `http://${host}/charges/{key}` } }, [host]);
    const replay = await planned(parts, await uncertain("a/1", "b", "c", "d"));
    expect((await itemsOf(parts, replay)).map(({ decision, reason }) => [decision, reason])).toEqual([
      ["replay", "ready"],
      ["skip", "side_effect.done"],
      ["ack_required", "probe.failed"],
      ["ack_required", "probe.failed"],
    ]);
    await started(parts, replay);
    expect(await run(parts, replay)).toBe("finished");
    expect([sent.length, asked.filter((path) => path === "/charges/a%2F1").length]).toEqual([1, 2]);
  });

  it("is asked about again before it goes, whatever somebody answered for", async () => {
    const answers: Answers = {};
    const { host } = await outside(answers);
    const { parts, sent } = office({ probe: { url: `http://${host}/charges/{key}` } }, [host]);
    const replay = await planned(parts, await uncertain("e"));
    await acknowledge(
      parts,
      { id: "ops-1", roles: ["operator"], kind: "human" },
      { replay, numbers: [1], reason: "not charged" },
    );
    await started(parts, replay);
    answers["/charges/e"] = { status: 200, body: '{"done":true}' };
    await run(parts, replay);
    expect(sent).toEqual([]);
    expect((await itemsOf(parts, replay))[0]).toMatchObject({ mark: "drifted", markReason: "side_effect.done" });
  });

  it("waits for somebody's word where the probe is in a private network, or the letter has no key", async () => {
    const { host, asked } = await outside({});
    const shut = office({ probe: { url: `http://${host}/charges/{key}` } }, []);
    const [refused] = await itemsOf(shut.parts, await planned(shut.parts, await uncertain("f")));
    expect(refused).toMatchObject({ decision: "ack_required", reason: "probe.failed" });
    const { parts } = office({ probe: { url: `http://${host}/charges/{tenant}` } }, [host]);
    const [nameless] = await itemsOf(parts, await planned(parts, await uncertain("g")));
    expect([nameless?.reason, asked]).toEqual(["probe.failed", []]);
  });

  it("waits for somebody's word where its key would lead to another path than the policy's", async () => {
    const other = { status: 200, body: '{"done":false}' };
    const { host, asked } = await outside({ "/": other, "/charges/": other, "/charges/x": other });
    const { parts } = office({ probe: { url: `http://${host}/charges/{key}` } }, [host]);
    const items = await itemsOf(parts, await planned(parts, await uncertain("..", ".", "", "x")));
    const [failed, ready] = ["probe.failed", "ready"];
    expect(items.map((item) => item.reason)).toEqual([failed, failed, failed, ready]);
    expect(asked).toEqual(["/charges/x"]);
  });

  it("is not sent, nor is any other, while a health check of the policy is red", async () => {
    const answers: Answers = { "/health": { status: 200 } };
    const { host } = await outside(answers);
    const { parts, sent } = office({ health: [`http://${host}/health`] }, [host]);
    const replay = await planned(parts, await holdLetters(ledger, ["a"]));
    await started(parts, replay);
    answers["/health"] = { status: 503 };
    expect([await run(parts, replay), await stateOf(parts, replay), sent.length]).toEqual(["halted", "halted", 0]);
    const [item] = await itemsOf(parts, await planned(parts, await holdLetters(ledger, ["b"])));
    expect(item).toMatchObject({ decision: "skip", reason: "health.red" });
  });
});
