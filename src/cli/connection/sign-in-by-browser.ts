import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { within } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";
import { redeemCode } from "../../http/sign-in-client.ts";
import type { Context } from "../command.ts";
import { Interrupted } from "../failure.ts";
import { openBrowser } from "./open-browser.ts";

const patienceMs = 5 * 60_000;

/**
 * Lets somebody allow this terminal in their browser, and waits on the loopback for the code that the browser brings. The code
 * is of use only with the verifier, which never leaves this process.
 */
export async function signInByBrowser(
  url: string,
  { clock, signal, note, noBrowser }: Context & { readonly noBrowser: boolean },
): Promise<string> {
  const verifier = randomBytes(32).toString("base64url");
  const state = randomBytes(16).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const server = createServer();
  const brought = codeBrought(server, state, signal);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    const { port } = server.address() as AddressInfo;
    const way = `${url}/terminal?${new URLSearchParams({ challenge, state, port: String(port) }).toString()}`;
    note(`Allow this terminal in your browser, if it shows ${challenge.slice(0, 6)}:\n  ${way}`);
    if (!noBrowser) openBrowser(way);
    const code = await within(clock, patienceMs, brought, nobodyCame);
    return (await redeemCode(url, { code, verifier })).session;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

function codeBrought(server: Server, state: string, signal: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    signal.addEventListener("abort", () => reject(new Interrupted()), { once: true });
    server.on("request", ({ url = "" }, response: ServerResponse) => {
      // Put behind an origin as it is: what only looks like an address, such as `//`, is nothing to die of.
      const searchParams = URL.parse(`http://127.0.0.1${url}`)?.searchParams ?? new URLSearchParams();
      const code = searchParams.get("code");
      const isOurs = code !== null && searchParams.get("state") === state;
      response.writeHead(isOurs ? 200 : 404, { "content-type": "text/plain; charset=utf-8" });
      response.end(isOurs ? "Signed in. Go back to your terminal; this page can be closed." : "Nothing is here.");
      if (isOurs) resolve(code);
    });
  });
}

function nobodyCame(): never {
  throw new OfficeError("SIGN_IN_REFUSED", "Nobody allowed this terminal within five minutes. Start again: dlo login.");
}
