import { pathPrefix } from "../domain/base-path.ts";
import { OfficeError } from "../domain/errors.ts";
import { requireOption } from "../domain/options.ts";

export interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

/** How people reach the office: it alone decides links, cookies, and which Host and Origin are its own. */
export interface PublicAddress {
  /** Such as `https://dlo.example`; never with a path. */
  readonly origin: string;
  /** Begins with a slash and does not end with one; empty at the root. */
  readonly basePath: string;
  /** As they may stand in `Host`. */
  readonly hosts: readonly string[];
  /** As they may stand in `Origin`. */
  readonly origins: readonly string[];
  readonly isSecure: boolean;
}

const loopback: readonly string[] = ["127.0.0.1", "localhost", "[::1]"];

/** `127.0.0.1:7717` or `[::1]:7717`. */
export function parseListen(text: string): ListenAddress {
  const [, host = "", digits = ""] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const port = Number(digits);
  requireOption(host !== "" && port <= 65_535, "listen", "an address and a port, such as 127.0.0.1:7717", text);
  return { host: host.replace(/^\[(.*)\]$/, "$1"), port };
}

/** Whether only this machine can reach it. */
export function isLoopback({ host }: ListenAddress): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * Without a public URL only names of this machine are the office's own: a page whose name somebody points at 127.0.0.1 sends
 * that name as Host, and is refused.
 */
export function publicAddress(publicUrl: string | null, listen: ListenAddress, basePath = "/"): PublicAddress {
  const base = pathPrefix(basePath);
  if (publicUrl !== null) return addressOf([new URL(publicUrl).origin], base);
  if (!isLoopback(listen))
    throw new OfficeError(
      "INVALID_CONFIG",
      `${listen.host}:${listen.port} can be reached from elsewhere, and nothing says by which name. Set \`office.publicUrl\`, such as https://dlo.example, or listen on 127.0.0.1.`,
    );
  return addressOf(
    loopback.map((host) => `http://${host}:${listen.port}`),
    base,
  );
}

function addressOf(origins: readonly string[], basePath: string): PublicAddress {
  const [origin = ""] = origins;
  return {
    origin,
    basePath,
    origins,
    hosts: origins.map((each) => new URL(each).host),
    isSecure: origin.startsWith("https:"),
  };
}
