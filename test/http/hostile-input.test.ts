import { describe, expect, it } from "vitest";
import { type Endpoint, endpointTable } from "../../src/http/endpoints.ts";
import type { Call } from "../../src/office/operations/operations.ts";
import { deadLetter, hold } from "../ledger/letters.ts";
import { origin, type TestServer, useLedger } from "./open-server.ts";
import { type KnownValues, withEachNumber } from "./sample-input.ts";

/** More than a column of 32 bits holds, more than a number counts exactly, less than there is, and more than a column of 64 bits holds. */
const hostileNumbers = [2 ** 31, 2 ** 53, -1, 1e308];

/** Numbers that are no column's: entries of the audit log are counted with 64 bits. */
const wideNumbers = ["audit.list.before", "audit.verify.anchor.n"];

describe("an operation that is asked for what cannot be", () => {
  const ledger = useLedger();

  it("never fails with a number that the database cannot hold", { timeout: 120_000 }, async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const things = await somethingOfEach(server, cookie);
    const failed: string[] = [];
    for (const endpoint of endpointTable()) {
      for (const number of hostileNumbers) {
        for (const { path, value } of withEachNumber(endpoint.input, number, knownTo(endpoint, things))) {
          const { statusCode } = await ask(server, cookie, endpoint, value as Input);
          if (statusCode >= 500) failed.push(`${endpoint.name}${path} ${number}: ${statusCode}`);
        }
      }
    }
    expect(failed).toEqual([]);
    expect(server.failures).toEqual([]);
  });

  it("says of each number how large it may be", () => {
    const unbounded = endpointTable().flatMap(({ name, input }) =>
      withEachNumber(input, 0)
        .filter(({ bounds }) => typeof bounds.maximum !== "number" || bounds.maximum >= 2 ** 31)
        .map(({ path }) => `${name}${path}`),
    );
    expect(unbounded).toEqual(wideNumbers);
  });

  it.each([["null"], ["[]"], ['"text"'], ["1"], ["true"]])("runs nothing with the body %s", async (body) => {
    const asked: string[] = [];
    const server = await ledger.open({ call: (call) => noting(call, asked) });
    const cookie = await server.signedIn("ana");
    asked.length = 0;
    for (const endpoint of endpointTable().filter(({ method }) => method === "POST")) {
      const answer = await sendText(server, cookie, `/api/v1${endpoint.path.replaceAll(/[{}]/g, "")}`, body);
      const { error } = answer.json<{ error: { code: string; message: string } }>();
      expect([endpoint.name, answer.statusCode, error.code]).toEqual([endpoint.name, 400, "input.invalid_request"]);
      expect(error.message).toBe('The body must be a JSON object, such as {"limit": 50}.');
    }
    expect(asked).toEqual([]);
  });

  it("repeats no more of a request than helps to find what is wrong", async () => {
    const server = await ledger.open();
    const cookie = await server.signedIn("ana");
    const long = "x".repeat(900_000);
    const refusals = [
      await server.fromPage(cookie, "/api/v1/letters/search-masked", { q: `catgory:${long}`, reason: "a test" }),
      await server.fromPage(cookie, "/api/v1/replays", { q: `(${long}`, name: "all" }),
      await server.fromPage(cookie, "/api/v1/replays", { [long]: 1 }),
      await server.fromPage(cookie, "/api/v1/letters/drop", { letters: [long], reason: "a test" }),
      await server.fromPage(cookie, "/api/v1/letters/tag", { letters: ["ltr_1"], tags: [long] }),
      await server.fromPage(cookie, "/api/v1/policy/diff", { text: long }),
      await server.fromPage(cookie, "/api/v1/policy/diff", { text: `${long}: 1` }),
      await server.fromPage(cookie, "/api/v1/people/nobody", { roles: [long] }),
      await sendText(server, cookie, "/api/v1/replays", `{"q": ${long}}`),
    ];
    for (const { statusCode, body } of refusals) {
      expect(statusCode).toBeGreaterThanOrEqual(400);
      expect(statusCode).toBeLessThan(500);
      expect(body.length).toBeLessThan(10_000);
    }
  });
});

type Input = Readonly<Record<string, unknown>>;

/** As a page asks: what the path has no place for goes into query or body. */
function ask(server: TestServer, cookie: string, { method, path, inPath }: Endpoint, input: Input) {
  const free = Object.entries(input).filter(([name]) => !inPath.includes(name));
  const place = inPath.reduce((all, name) => all.replace(`{${name}}`, encodeURIComponent(String(input[name]))), path);
  if (method === "POST") return server.fromPage(cookie, `/api/v1${place}`, Object.fromEntries(free));
  const query = free.map(([name, value]) => `${name}=${encodeURIComponent(plain(value))}`);
  return server.fromPage(cookie, `/api/v1${place}?${query.join("&")}`);
}

/** Keeps the name of each operation that runs. */
function noting(call: Call, asked: string[]): Call {
  return ((...given: Parameters<Call>) => {
    asked.push(given[0]);
    return call(...given);
  }) as Call;
}

/** As a page sends it, but for what it sends. */
function sendText(server: TestServer, cookie: string, url: string, payload: string) {
  const headers = { cookie, origin, "x-dlo-csrf": "1", "content-type": "application/json" };
  return server.request({ method: "POST", url, headers, payload });
}

/** As people write numbers in an address: with all their digits. */
function plain(value: unknown): string {
  return typeof value === "number" ? BigInt(value).toString() : JSON.stringify(value ?? "");
}

interface Things {
  readonly letter: string;
  readonly group: string;
  readonly replay: string;
}

/** A letter, its group, and a plan to replay it. */
async function somethingOfEach(server: TestServer, cookie: string): Promise<Things> {
  const letter = deadLetter({ body: "{}", headers: { queue: "orders", class: "TimeoutError", message: "timed out" } });
  await hold(server.ledger, [{ letter, found: { kind: "position", position: "orders-1" } }]);
  const { items } = (await server.fromPage(cookie, "/api/v1/letters?q=queue:orders")).json<{
    items: readonly { readonly id: string; readonly group: string }[];
  }>();
  const planned = await server.fromPage(cookie, "/api/v1/replays", { q: "queue:orders", name: "all of them" });
  const [{ id, group } = { id: "", group: "" }] = items;
  return { letter: id, group, replay: planned.json<{ id: string }>().id };
}

function knownTo({ name }: Endpoint, { letter, group, replay }: Things): KnownValues {
  const [kind] = name.split(".");
  if (name === "keys.behind") return { id: group };
  return { id: kind === "replays" ? replay : kind === "groups" ? group : letter, group, into: group };
}
