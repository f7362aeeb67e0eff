import { OfficeError } from "../domain/errors.ts";
import { cannotListen } from "./cannot-listen.ts";
import { closeInTime } from "./close-in-time.ts";
import { isLoopback, type ListenAddress, publicAddress } from "./public-address.ts";
import { type OfficeServerParts, officeServer } from "./server.ts";
import { sessionCookieName } from "./session-cookie.ts";
import { readWebFiles } from "./web-files.ts";

export interface ServeOptions extends Omit<OfficeServerParts, "address" | "cookieName" | "web"> {
  readonly listen: ListenAddress;
  /** How people reach it; null where they do by the address it listens on. */
  readonly publicUrl: string | null;
  readonly basePath: string;
}

export interface ServingOffice {
  /** Where people find it. */
  readonly url: string;
  /** Whether there is a web UI; in a clone it must be built first. */
  readonly hasPages: boolean;
  /** Takes no more requests, answers those under way, and lets go of the port. */
  close(): Promise<void>;
}

/** Opens the port. Refuses to be reached from elsewhere while anybody could make themselves admin. */
export async function serve({ listen, publicUrl, basePath, ...parts }: ServeOptions): Promise<ServingOffice> {
  const address = publicAddress(publicUrl, listen, basePath);
  if (!isLoopback(listen) && parts.demo !== null) throw onlyHere(listen);
  if (!isLoopback(listen) && !(await parts.reception.hasAdmin())) throw nobodyInCharge(listen);
  const web = await readWebFiles();
  const app = officeServer({ ...parts, address, cookieName: sessionCookieName(address), web });
  const close = closeInTime(app, parts.clock);
  await app.listen({ host: listen.host, port: listen.port }).catch(async (error: unknown) => {
    await app.close();
    throw cannotListen(listen, error, "--listen");
  });
  return { url: `${address.origin}${address.basePath}/`, hasPages: web.size > 0, close };
}

function onlyHere({ host, port }: ListenAddress): OfficeError {
  return new OfficeError(
    "INVALID_CONFIG",
    `${host}:${port} can be reached from elsewhere, and a demonstration lets everybody in who asks. Listen on 127.0.0.1.`,
  );
}

function nobodyInCharge({ host, port }: ListenAddress): OfficeError {
  return new OfficeError(
    "INVALID_CONFIG",
    `${host}:${port} can be reached from elsewhere, and this office has no admin yet. Start it once on 127.0.0.1 and make one.`,
  );
}
