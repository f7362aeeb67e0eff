import type { ConnectionOptions, TlsOptions } from "@nats-io/transport-node";
import { requireOption } from "../../domain/options.ts";

/** Where the servers are and who we are there, as the client wants to be told. */
export type NatsAddress = Pick<ConnectionOptions, "servers" | "user" | "pass" | "token"> & {
  readonly tls?: TlsOptions;
  /** The path of a credentials file. */
  readonly credentialsFile?: string;
};

const expectation = "an address like nats://127.0.0.1:4222, or several with commas between them";

/** The address itself is never shown: it may hold a password. */
export function parseNatsAddress(url: unknown): NatsAddress {
  requireOption(typeof url === "string" && url.trim() !== "", "url", expectation);
  const urls = (url as string).split(",").map((each) => URL.parse(each.trim()));
  requireOption(urls.every(isNatsUrl), "url", expectation);
  const servers = urls.filter(isNatsUrl);
  const [first] = servers as [URL];
  return {
    servers: servers.map(({ hostname, port }) => `${hostname}:${port === "" ? "4222" : port}`),
    ...whoIs(decodeURIComponent(first.username), decodeURIComponent(first.password)),
    ...filesOf(first),
  };
}

/** `?ca=`, `?cert=` and `?key=` are PEM files, `?credentials=` is a `.creds` file: paths, as whoever opens it sees them. */
function filesOf({ protocol, searchParams }: URL): Pick<NatsAddress, "tls" | "credentialsFile"> {
  const names = { ca: "caFile", cert: "certFile", key: "keyFile" } as const;
  const files = Object.entries(names).flatMap(([name, option]) => {
    const path = searchParams.get(name);
    return path === null ? [] : [[option, path] as const];
  });
  const credentialsFile = searchParams.get("credentials");
  return {
    ...(protocol === "tls:" || files.length > 0 ? { tls: Object.fromEntries(files) } : {}),
    ...(credentialsFile === null ? {} : { credentialsFile }),
  };
}

function isNatsUrl(url: URL | null): url is URL {
  return url !== null && /^(nats|tls):$/u.test(url.protocol) && url.hostname !== "";
}

/** A name alone is a token, as NATS's own tools have it. */
function whoIs(user: string, pass: string): Pick<ConnectionOptions, "user" | "pass" | "token"> {
  if (user === "") return {};
  return pass === "" ? { token: user } : { user, pass };
}
