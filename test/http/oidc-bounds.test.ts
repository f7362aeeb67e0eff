import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { oidcIssuer } from "../../src/outbound/oidc/issuer.ts";
import { systemClock } from "../../src/system/host.ts";
import { type Script, type ScriptedProvider, startScriptedProvider } from "../servers/scripted-provider.ts";
import { useLedger } from "./open-server.ts";
import { browserAt, cookieHeader, issuerAt, oidcOptions, signInThere } from "./sign-in-there.ts";

const roles = [{ name: "payments-ops", is: "operator", queues: ["*"], reveals: false }] as const;

/** An endless answer, which counts what is taken of it. */
function endless(taken: { bytes: number }): Script {
  const piece = "x".repeat(65_536);
  return (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(piece)) taken.bytes += piece.length;
    };
    response.on("drain", more);
    more();
  };
}

describe("bounds of a sign-in", () => {
  const ledger = useLedger();
  let there: ScriptedProvider;
  beforeAll(async () => {
    there = await startScriptedProvider();
  });
  afterAll(() => there.close());
  const open = () => ledger.open({ issuer: issuerAt(there), roles });
  const play = (path: string, script: Script) => {
    there.scripts.set(path, script);
    onTestFinished(() => there.reset());
  };

  it.each(["/.well-known/openid-configuration", "/token", "/jwks"])("reads at most 1 MB of %s", async (path) => {
    const taken = { bytes: 0 };
    play(path, endless(taken));
    const browser = browserAt(await open());
    const way = await browser.begin();
    const { refused } = way === "" ? { refused: "" } : await browser.comeBack(await signInThere(way, "ana"));
    if (way !== "") expect(refused).toContain("answered with more than 1 MB");
    // What lies in buffers between the two is none of the server's memory for long.
    expect(taken.bytes).toBeLessThan(16_000_000);
  });

  it("waits 10 s in all for an answer that comes by the byte", async () => {
    play("/token", (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const timer = setInterval(() => response.write(" "), 500);
      response.on("close", () => clearInterval(timer));
    });
    const browser = browserAt(await open());
    const way = await signInThere(await browser.begin(), "ana");
    const begun = performance.now();
    expect((await browser.comeBack(way)).refused).toMatch(
      /There was no whole answer within 10000 ms|did not answer in time/,
    );
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it("follows no redirect", async () => {
    play(
      "/token",
      (_request, response) => void response.writeHead(302, { location: `${there.issuer}/elsewhere` }).end(),
    );
    const browser = browserAt(await open());
    expect((await browser.comeBack(await signInThere(await browser.begin(), "ana"))).actor).toBeNull();
  });

  it("calls no private host that only the metadata names, unless the configuration allows it", async () => {
    const other = await startScriptedProvider();
    onTestFinished(() => other.close());
    let calls = 0;
    other.scripts.set("/token", (_request, response) => {
      calls += 1;
      response.writeHead(400).end();
    });
    there.metadata = { token_endpoint: `${other.issuer}/token` };
    onTestFinished(() => there.reset());
    const refused = async (allow: readonly string[]) => {
      const issuer = oidcIssuer({ options: oidcOptions(there), allow, clock: systemClock });
      const browser = browserAt(await ledger.open({ issuer, roles }));
      return (await browser.comeBack(await signInThere(await browser.begin(), "ana"))).refused;
    };
    expect(await refused([])).toContain("name it under office.outbound.allow");
    expect(calls).toBe(0);
    await refused([new URL(other.issuer).host]);
    expect(calls).toBe(1);
  });

  it.each(["javascript:alert(1)//", "data:text/html,x", "http://elsewhere.example/"])(
    "sends no browser to %s",
    async (address) => {
      there.metadata = { authorization_endpoint: address };
      onTestFinished(() => there.reset());
      expect(await browserAt(await open()).begin()).toBe("");
    },
  );

  it("lets two tabs sign in at once", async () => {
    const browser = browserAt(await open());
    const [one, other] = [await browser.begin("/letters?q=one"), await browser.begin("/letters?q=other")];
    const ways = await Promise.all([one, other].map((way) => signInThere(way, "ana")));
    for (const [way, to] of [
      [ways[1], "/letters?q=other"],
      [ways[0], "/letters?q=one"],
    ] as const) {
      const { back, actor } = await browser.comeBack(way ?? "");
      expect([back.headers.location, actor?.roles]).toEqual([to, ["operator"]]);
    }
  });

  it("leads back to a link of 8 kB", async () => {
    const to = `/letters?q=${encodeURIComponent(`"${"a b".repeat(1_600)}"`)}`;
    expect(to.length).toBeGreaterThan(8_000);
    const browser = browserAt(await open());
    const { back } = await browser.comeBack(await signInThere(await browser.begin(to), "ana"));
    expect(back.headers.location).toBe(to);
  });

  it("keeps what is under way on the server, and no more than a browser's requests can carry", async () => {
    const browser = browserAt(await open());
    for (let n = 0; n < 50; n++) await browser.begin(`/letters?q=${"x".repeat(8_000)}`);
    expect(cookieHeader(browser.jar).length).toBeLessThan(4_000);
  });

  it("checks again where it leads, whatever lies in the database", async () => {
    const server = await open();
    const browser = browserAt(server);
    const way = await signInThere(await browser.begin(), "ana");
    const { database, at } = server.ledger;
    await database.query(`update ${at}.pending_sign_ins set leads_to = '//elsewhere.example/'`, []);
    expect((await browser.comeBack(way)).back.headers.location).toBe("/");
  });

  it("keeps its cookie to this host where the address is https", async () => {
    const publicUrl = "https://dlo.example";
    const server = await ledger.open({ issuer: issuerAt(there), roles, publicUrl, basePath: "/dlo" });
    const begun = await server.fromPage("", "/dlo/auth/oidc", { to: "/dlo/letters" });
    expect(String(begun.headers["set-cookie"])).toMatch(
      /^__Host-dlo_\w+_oidc_[\w-]+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
    );
  });

  it("lets everyone begin, however many one address has under way, and keeps no more than a thousand of those", async () => {
    const server = await ledger.open({ issuer: issuerAt(there), roles, trustedProxies: ["127.0.0.1"] });
    const { database, at } = server.ledger;
    const count = async () =>
      (await database.query<{ n: string }>(`select count(*) as n from ${at}.pending_sign_ins`, [])).rows[0]?.n;
    for (const address of ["203.0.113.9", "2001:db8:1:2::/64"])
      await database.query(
        `insert into ${at}.pending_sign_ins (digest, nonce, verifier, leads_to, address, expires_at)
         select sha256((n || $1)::bytea), '', '', '/', $1, ${at}.clock() + n * interval '500 ms' from generate_series(1, 1000) n`,
        [address],
      );
    const before = Number(await count());
    for (const address of ["203.0.113.9", "2001:db8:1:2:aaaa::9"]) {
      const { headers } = await server.request({ url: "/auth/oidc", headers: { "x-forwarded-for": address } });
      expect(headers.location).toMatch(new RegExp(`^${there.issuer}`));
    }
    expect(Number(await count())).toBe(before);
  });

  it.each([
    ["image", 403],
    ["iframe", 403],
    ["document", 302],
  ])("begins for a page of someone else where it asks for %s: %i", async (destination, status) => {
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": destination };
    expect((await (await open()).request({ url: "/auth/oidc", headers })).statusCode).toBe(status);
  });
});
