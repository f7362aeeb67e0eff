import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { guardedClient } from "./guarded-client.ts";
import { isPublicAddress } from "./public-address.ts";

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const portOf = (host: string) => host.slice(host.indexOf(":"));
const says = (address: string) => async () => [{ address, family: address.includes(":") ? 6 : 4 }];
const refusedWith = (code: string): unknown => expect.objectContaining({ name: "OutboundRefused", code });

describe("the guarded client", () => {
  it.each([
    "http://127.0.0.1/",
    "http://[::1]/",
    "http://[::ffff:10.0.0.1]/",
    "http://10.1.2.3/",
    "http://169.254.169.254/latest/meta-data/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://0/",
  ])("does not call the private address in %s", async (url) => {
    await expect(guardedClient().call(url)).rejects.toEqual(refusedWith("outbound.address_not_allowed"));
  });

  it("does not call a name that resolves to a private address, however many public ones stand beside it", async () => {
    const resolve = async () => [
      { address: "93.184.216.34", family: 4 },
      { address: "192.168.0.1", family: 4 },
    ];
    const calling = guardedClient({ resolve }).call("http://intranet.example/");
    await expect(calling).rejects.toEqual(refusedWith("outbound.address_not_allowed"));
  });

  it("calls a private host that was allowed by name, and that host only", async () => {
    const host = await serve((_request, response) => response.end("well"));
    const client = guardedClient({ allow: [`health.example${portOf(host)}`], resolve: says("127.0.0.1") });
    const answer = await client.call(`http://health.example${portOf(host)}/`);
    expect([answer.status, Buffer.from(answer.body).toString()]).toEqual([200, "well"]);
    const other = client.call(`http://other.example${portOf(host)}/`);
    await expect(other).rejects.toEqual(refusedWith("outbound.address_not_allowed"));
  });

  it("connects to the address it vetted, not to what the name says when asked again", async () => {
    let asked = 0;
    const host = await serve((_request, response) => response.end("well"));
    const resolve = () => {
      asked += 1;
      return says("127.0.0.1")();
    };
    const client = guardedClient({ allow: ["rebinding.example"], resolve });
    expect((await client.call(`http://rebinding.example${portOf(host)}/`)).status).toBe(200);
    expect(asked).toBe(1);
  });

  it("does not follow a redirect to a private address", async () => {
    const host = await serve((_request, response) =>
      response.writeHead(302, { location: "http://169.254.169.254/" }).end(),
    );
    const calling = guardedClient({ allow: [host] }).call(`http://${host}/`);
    await expect(calling).rejects.toEqual(refusedWith("outbound.address_not_allowed"));
  });

  it("follows redirects up to its limit, and forgets the headers at another origin", async () => {
    const seen: (string | undefined)[] = [];
    const last = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.end("end");
    });
    const first = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(307, { location: request.url === "/loop" ? "/loop" : `http://${last}/` }).end();
    });
    const client = guardedClient({ allow: [first, last] });
    const headers = { authorization: "Bearer secret" };
    expect((await client.call(`http://${first}/`, { headers })).status).toBe(200);
    expect(seen).toEqual(["Bearer secret", undefined]);
    const looping = client.call(`http://${first}/loop`, { headers });
    await expect(looping).rejects.toEqual(refusedWith("outbound.redirects_exceeded"));
  });

  it("hands a redirect of a POST back instead of sending its body elsewhere", async () => {
    const host = await serve((_request, response) =>
      response.writeHead(307, { location: "http://example.com/" }).end(),
    );
    const answer = await guardedClient({ allow: [host] }).call(`http://${host}/`, { method: "POST", body: "{}" });
    expect(answer.status).toBe(307);
  });

  it("cuts an answer that does not end", async () => {
    const host = await serve((_request, response) => {
      const write = () => response.write("x".repeat(1_000), write);
      write();
    });
    const answer = await guardedClient({ allow: [host], maxAnswerBytes: 10 }).call(`http://${host}/`);
    expect([answer.body.length, answer.isCut]).toEqual([10, true]);
  });

  it("gives up on a server that never answers, and on the caller's word", async () => {
    const host = await serve(() => {});
    const client = guardedClient({ allow: [host], timeoutMs: 20 });
    await expect(client.call(`http://${host}/`)).rejects.toEqual(refusedWith("outbound.timed_out"));
    const patient = guardedClient({ allow: [host] });
    const stopped = patient.call(`http://${host}/`, { signal: AbortSignal.abort(new Error("enough")) });
    await expect(stopped).rejects.toThrow("enough");
  });

  it.each(["ftp://example.com/", "file:///etc/passwd", "example.com", "http://user:secret@example.com/"])(
    "refuses %s",
    async (url) => {
      await expect(guardedClient().call(url)).rejects.toEqual(refusedWith("outbound.url_invalid"));
    },
  );
});

describe("a public address", () => {
  it.each(["93.184.216.34", "8.8.8.8", "2606:2800:220:1:248:1893:25c8:1946"])("is %s", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    "0.0.0.0",
    "10.255.255.255",
    "100.64.0.1",
    "127.8.8.8",
    "172.31.0.1",
    "192.168.1.1",
    "198.19.0.1",
    "224.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::ffff:8.8.8.8",
    "64:ff9b::a00:1",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "2002:a00:1::1",
    "2001:db8::1",
    "not an address",
  ])("is not %s", (address) => expect(isPublicAddress(address)).toBe(false));
});
