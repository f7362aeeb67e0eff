import { describe, expect, it } from "vitest";
import { OfficeError } from "../../src/domain/errors.ts";
import { officeClient } from "../../src/http/client.ts";
import { endpointTable } from "../../src/http/endpoints.ts";
import { changePerson } from "../../src/ledger/people/people.ts";
import type { WebhookEvent } from "../../src/office/decide/call-webhook.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { bodiesOf, replayWorld } from "../replay/world.ts";
import { origin, type TestServer, useLedger } from "./open-server.ts";

interface Listed {
  readonly items: readonly { readonly id: string }[];
  readonly next: string | null;
}

async function fill({ ledger }: TestServer, queue: string, count: number): Promise<void> {
  const letters = Array.from({ length: count }, (_, n) => ({
    letter: deadLetter({ body: `{"n":${n}}`, headers: { queue, class: "TimeoutError", message: "timed out" } }),
    found: { kind: "position", position: `${queue}-${n}` } as const,
  }));
  await hold(ledger, letters);
}

describe("the HTTP API", () => {
  const ledger = useLedger();

  it("answers what the operation gives, page by page", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    await fill(server, "orders", 5);
    const first = (await server.fromPage(cookie, "/api/v1/letters?q=queue:orders&limit=3")).json<Listed>();
    expect(first.items).toHaveLength(3);
    const url = `/api/v1/letters?q=queue:orders&limit=3&after=${first.next}`;
    const second = (await server.fromPage(cookie, url)).json<Listed>();
    expect(second.next).toBeNull();
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect(new Set(ids).size).toBe(5);
    const other = await server.fromPage(cookie, `/api/v1/letters?q=queue:bills&after=${first.next}`);
    expect(other.statusCode).toBe(400);
    expect(other.json()).toMatchObject({ error: { code: "page.mismatch" } });
  });

  it("hands letters over by a webhook that says yes, and makes up for others by a message", async () => {
    const told: [name: string, event: WebhookEvent][] = [];
    const tell = async (name: string, event: WebhookEvent) => {
      if (name !== "tickets") throw new OfficeError("WEBHOOK_FAILED", "It answered 500.");
      told.push([name, event]);
    };
    const plain = await ledger.open();
    const { parts, sent } = replayWorld(plain.ledger);
    const server = await ledger.open({ office: { tell, replay: parts } });
    const cookie = await server.signedIn("ana");
    await fill(server, "refused", 2);
    const { items } = (await server.fromPage(cookie, "/api/v1/letters?q=queue:refused")).json<Listed>();
    const [first = "", second = ""] = items.map(({ id }) => id);
    const decide = async (how: string, letter: string, more: object) => {
      const body = { letters: [letter], reason: "charged twice", ...more };
      return server.fromPage(cookie, `/api/v1/letters/${how}`, body);
    };
    const stateOf = async (letter: string) =>
      (await server.fromPage(cookie, `/api/v1/letters/${letter}`)).json<{ state: string }>().state;
    expect((await decide("escalate", first, { notify: "pager" })).statusCode).toBeGreaterThanOrEqual(400);
    expect([await stateOf(first), told]).toEqual(["open", []]);
    expect((await decide("escalate", first, { notify: "tickets" })).json()).toEqual({ letters: 1 });
    expect([await stateOf(first), told]).toEqual([
      "escalated",
      [["tickets", expect.objectContaining({ type: "letters.escalated", letters: [first], by: "ana" })]],
    ]);
    const message = { source: "rabbit", queue: "refunds", bodyBase64: btoa('{"refund":1}') };
    expect((await decide("compensate", second, { message })).json()).toEqual({ letters: 1, unsent: [], inDoubt: [] });
    expect([await stateOf(second), bodiesOf(sent)]).toEqual(["compensated", ['{"refund":1}']]);
    expect((await decide("compensate", second, { message })).statusCode).toBeGreaterThanOrEqual(400);
    expect(sent).toHaveLength(1);
  });

  it("refuses with a code, a sentence, the way out, a page and an id", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const ask = async (path: string) => {
      const response = await server.fromPage(cookie, `/api/v1${path}`);
      return { status: response.statusCode, ...response.json<{ error: Record<string, unknown> }>().error };
    };
    expect(await ask("/letters/ltr_01JCQ8ZK4M6T8V0X2Z4B6D8F0H")).toMatchObject({
      status: 404,
      code: "letter.not_found",
      docs: "/reference#letter.not_found",
      id: expect.stringMatching(/^[\da-f-]{36}$/) as string,
    });
    expect(await ask("/letters?q=catgory:a")).toMatchObject({
      status: 400,
      code: "query.invalid",
      hint: "Did you mean category: ?",
    });
    expect(await ask("/letters?limt=5")).toMatchObject({ status: 400, hint: "Did you mean `limit`?" });
    expect(await ask("/letters?limit=many")).toMatchObject({ status: 400, code: "input.invalid_option" });
    expect(await ask("/lettres")).toMatchObject({ status: 404, code: "route.not_found" });
  });

  it("leaves out what the output's schema does not name", async () => {
    const leaky = (call: Call): Call =>
      (async (...asked: Parameters<Call>) => Object.assign({}, await call(...asked), { secret: "s3cret" })) as never;
    const server = await ledger.open({ call: leaky });
    const response = await server.fromPage(await server.signedIn("ana"), "/api/v1/inbox");
    expect(response.statusCode).toBe(200);
    expect(response.body).not.toContain("s3cret");
  });

  it("logs a failure of its own under the id it answers, and tells nothing else", async () => {
    const broken = (): Call => async () => {
      throw new Error("password=hunter2");
    };
    const server = await ledger.open({ call: broken });
    const response = await server.fromPage(await server.signedIn("ana"), "/api/v1/letters?q=error:x");
    expect(response.statusCode).toBe(500);
    expect(response.body).not.toContain("hunter2");
    const { id } = response.json<{ error: { id: string } }>().error;
    expect(server.failures).toMatchObject([{ id, path: "/api/v1/letters" }]);
  });

  it("says that the ledger is away, not that it failed", async () => {
    const away = (): Call => async () => {
      throw Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
    };
    const server = await ledger.open({ call: away });
    const response = await server.fromPage(await server.signedIn("ana"), "/api/v1/inbox");
    expect(response.statusCode).toBe(503);
    expect(response.headers["retry-after"]).toBe("1");
    expect(response.json()).toMatchObject({ error: { code: "store.unavailable" } });
  });

  it("gives up on an operation that takes too long, and takes no more than it can do", async () => {
    const hung = (): Call => () => new Promise(() => {});
    const server = await ledger.open({ call: hung, limits: { answerMs: 1_000, atOnce: 1 } });
    const cookie = await server.signedIn("ana");
    const [slow, refused] = await Promise.all([1, 2].map(() => server.fromPage(cookie, "/api/v1/inbox")));
    expect([slow?.statusCode, refused?.statusCode]).toEqual([503, 503]);
    const sentences = [slow, refused].map((each) => each?.json<{ error: { message: string } }>().error.message);
    expect(sentences.toSorted((a = "", b = "") => b.localeCompare(a))).toEqual([
      expect.stringContaining("took too long"),
      expect.stringContaining("too much to do"),
    ]);
    expect((await server.fromPage(cookie, "/api/v1/inbox")).body).toContain("took too long");
  });

  it("takes only JSON, and not too much of it", async () => {
    const server = await ledger.open({ limits: { bodyBytes: 100 } });
    const cookie = await server.signedIn("ana");
    const large = await server.fromPage(cookie, "/api/v1/audit/verify", { anchor: null, x: "x".repeat(200) });
    expect(large.statusCode).toBe(413);
    const headers = { cookie, origin, "x-dlo-csrf": "1", "content-type": "text/plain" };
    const text = await server.request({ method: "POST", url: "/api/v1/audit/verify", headers, payload: "{}" });
    expect([text.statusCode, text.json<{ error: { code: string } }>().error.code]).toEqual([
      400,
      "input.invalid_request",
    ]);
    const broken = { ...headers, "content-type": "application/json" };
    const half = await server.request({ method: "POST", url: "/api/v1/audit/verify", headers: broken, payload: "{" });
    expect(half.statusCode).toBe(400);
  });

  it("refuses what it cannot read or keep as it refuses everything: an address, a NUL", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    await fill(server, "nul", 1);
    const [group] = (await server.fromPage(cookie, "/api/v1/groups?q=queue:nul")).json<Listed>().items;
    const refused = [
      await server.fromPage(cookie, "/api/v1/letters/%E0%A4%A"),
      await server.fromPage(cookie, `/api/v1/groups/${group?.id}/note`, { text: "a\0b" }),
      await server.fromPage("", "/auth/sign-in", { name: "a\0b", password: "whatever it is" }),
    ];
    for (const { statusCode, headers, json } of refused) {
      expect([statusCode, headers["x-content-type-options"]]).toEqual([400, "nosniff"]);
      const id: unknown = expect.any(String);
      expect(json()).toMatchObject({
        error: { code: "input.invalid_request", docs: expect.any(String) as unknown, id },
      });
    }
    expect(server.failures).toEqual([]);
  });

  it("is there for load balancers, under whatever name they call it", async () => {
    const server = await ledger.open({ basePath: "/dlo/" });
    const ask = (url: string) => server.request({ url, headers: { host: "10.0.0.7" } });
    expect((await ask("/dlo/healthz")).body).toBe("ok");
    expect((await ask("/dlo/readyz")).body).toBe("ready");
    expect((await ask("/dlo/openapi.json")).statusCode).toBe(403);
  });

  it("has its pages below its base path alone, and leads there from the root", async () => {
    const web = new Map([["/index.html", Buffer.from('<meta name="dlo-base" content="">')]]);
    const server = await ledger.open({ basePath: "/dlo/", web });
    const open = (url: string) => server.request({ url, headers: { accept: "text/html" } });
    for (const path of ["/dlo", "/dlo/", "/dlo/letters?q=x"])
      expect((await open(path)).body).toContain('content="/dlo"');
    const { statusCode, headers } = await open("/");
    expect([statusCode, headers.location]).toEqual([302, "/dlo/"]);
    for (const path of ["/letters", "/dlo-eu/", "/dlo/api/v1/nothing"]) expect((await open(path)).statusCode).toBe(404);
    expect((await open("/letters")).json()).toMatchObject({
      error: { hint: "Everything of this server is below /dlo/." },
    });
  });
});

describe("the typed client", () => {
  const ledger = useLedger();

  async function connect(server: TestServer, cookie: string) {
    const overInject: typeof fetch = async (url, { method, body, headers }: RequestInit = {}) => {
      const response = await server.request({
        method: method as "GET",
        url: (url as string).replace(origin, ""),
        headers: { ...(headers as Record<string, string>), cookie, origin },
        ...(typeof body === "string" ? { payload: body } : {}),
      });
      return new Response(response.body, { status: response.statusCode });
    };
    return officeClient({ url: origin, fetch: overInject });
  }

  it("asks for operations by name and gets what they give", async () => {
    const server = await ledger.open();
    const ask = await connect(server, await server.signedIn("ana"));
    await fill(server, "a/b c", 2);
    const { items } = await ask("letters.list", { q: 'queue:"a/b c"', limit: 1 });
    expect(items).toHaveLength(1);
    expect(await ask("letters.get", { id: items[0]?.id ?? "" })).toMatchObject({ queue: "a/b c" });
    expect(await ask("audit.verify", {})).toMatchObject({ problem: null });
  });

  it("rejects with the office's own refusal", async () => {
    const server = await ledger.open();
    const ask = await connect(server, await server.signedIn("ana"));
    await expect(ask("groups.get", { id: "grp_01JCQ8ZK4M6T8V0X2Z4B6D8F0H" })).rejects.toMatchObject({
      name: "OfficeError",
      code: "GROUP_NOT_FOUND",
      details: { status: 404 },
    });
    const nobody = officeClient({ url: "http://127.0.0.1:1" });
    await expect(nobody("inbox.list", {})).rejects.toMatchObject({ code: "SERVER_UNAVAILABLE" });
  });
});

describe("what the API says of itself", () => {
  const ledger = useLedger();

  it("is an OpenAPI document with every operation, its input and its output", async () => {
    const server = await ledger.open();
    const document = (await server.request({ url: "/openapi.json" })).json<{
      openapi: string;
      paths: Record<string, Record<string, { operationId: string }>>;
    }>();
    expect(document.openapi).toBe("3.1.0");
    const described = Object.values(document.paths).flatMap((path) =>
      Object.values(path).map(({ operationId }) => operationId),
    );
    expect(described.sort()).toEqual(
      endpointTable()
        .map(({ name }) => name)
        .sort(),
    );
    expect(document.paths["/letters/{id}"]?.get).toMatchObject({
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "string" } }],
      responses: { 200: { content: { "application/json": { schema: { type: "object" } } } } },
    });
  });

  it("is a page for people, with a place for every error", async () => {
    const server = await ledger.open();
    const { body, headers } = await server.request({ url: "/reference" });
    expect(headers["content-type"]).toContain("text/html");
    expect(body).toContain('id="letter.not_found"');
    expect(body).toContain("GET /api/v1/letters/{id}");
    expect(body).not.toContain("<script");
  });
});

describe("an Idempotency-Key", () => {
  const ledger = useLedger();

  function counting() {
    let runs = 0;
    let fail: Error | null = null;
    const call = (): Call =>
      (async () => {
        runs += 1;
        if (fail !== null) throw fail;
        return { entries: runs, head: { n: 0, hash: "" }, problem: null };
      }) as never;
    return { call, runs: () => runs, failWith: (error: Error | null) => (fail = error) };
  }

  const post = (server: TestServer, cookie: string, key: string, anchor: object | null = null) =>
    server.request({
      method: "POST",
      url: "/api/v1/audit/verify",
      payload: { anchor },
      headers: { cookie, origin, "x-dlo-csrf": "1", "idempotency-key": key },
    });

  it("makes asking again give the first answer, and do nothing", async () => {
    const { call, runs } = counting();
    const server = await ledger.open({ call });
    const cookie = await server.signedIn("ana");
    const answers = [await post(server, cookie, "k-1"), await post(server, cookie, "k-1")];
    expect(answers.map((answer) => answer.body)).toEqual([answers[0]?.body, answers[0]?.body]);
    expect(runs()).toBe(1);
    const other = await post(server, await server.signedIn("ben", ["viewer"]), "k-1");
    expect([other.statusCode, runs()]).toEqual([200, 2]);
  });

  it("gives its answer only to somebody who may still ask", async () => {
    const server = await ledger.open({ call: counting().call });
    const cookie = await server.signedIn("cleo", ["viewer"]);
    expect((await post(server, cookie, "k-4")).statusCode).toBe(200);
    await changePerson(server.ledger, server.ledger.database, { id: "cleo", roles: [], isDisabled: false });
    expect((await post(server, cookie, "k-4")).statusCode).toBe(403);
  });

  it("is refused for another request", async () => {
    const { call } = counting();
    const server = await ledger.open({ call });
    const cookie = await server.signedIn("ana");
    await post(server, cookie, "k-2");
    const other = await post(server, cookie, "k-2", { n: 1, hash: "x" });
    expect([other.statusCode, other.json()]).toMatchObject([422, { error: { code: "idempotency.other_request" } }]);
  });

  it("is free again after a refusal, and taken after a failure nobody knows the end of", async () => {
    const { call, failWith, runs } = counting();
    const server = await ledger.open({ call });
    const cookie = await server.signedIn("ana");
    failWith(new OfficeError("INVALID_QUERY", "No."));
    expect((await post(server, cookie, "k-3")).statusCode).toBe(400);
    failWith(new Error("the connection broke in the middle"));
    expect((await post(server, cookie, "k-3")).statusCode).toBe(500);
    failWith(null);
    const busy = await post(server, cookie, "k-3");
    expect([busy.statusCode, busy.json()]).toMatchObject([409, { error: { code: "idempotency.running" } }]);
    expect(runs()).toBe(2);
  });
});
