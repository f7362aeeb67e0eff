import { type LookupAddress, lookup as lookUp } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { OutboundRefused } from "./outbound-refused.ts";
import { isPublicAddress } from "./public-address.ts";

/** Finds the addresses of a host. */
export type Resolve = (host: string) => Promise<readonly LookupAddress[]>;

export const resolveBySystem: Resolve = (host) =>
  new Promise((resolve, reject) => {
    lookUp(host, { all: true }, (error, addresses) => (error === null ? resolve(addresses) : reject(error)));
  });

/**
 * A lookup for one connection that gives out nothing but addresses that may be called. The socket connects to exactly
 * what was vetted: a name that answers differently when it is asked a second time (DNS rebinding) gains nothing.
 */
export function vettedLookup(resolve: Resolve, { url, isAllowed }: { url: URL; isAllowed: boolean }): LookupFunction {
  const literal = literalAddress(url);
  // Node does not look up a literal address, so it is vetted before there is a socket.
  if (literal !== null && !isAllowed && !isPublicAddress(literal)) throw notAllowed(url);
  return (host, options, callback) => {
    const answer = (error: Error | null, addresses: readonly LookupAddress[]) => {
      const first = addresses[0];
      if (error !== null || first === undefined) callback(error ?? noAddress(url), "", 0);
      else if (options.all === true) callback(null, [...addresses]);
      else callback(null, first.address, first.family);
    };
    resolve(host).then(
      // One private address among public ones is enough to refuse: which of them is called is the network's choice.
      (found) =>
        isAllowed || found.every(({ address }) => isPublicAddress(address))
          ? answer(null, found)
          : answer(notAllowed(url), []),
      (error: unknown) => answer(error instanceof Error ? error : new Error(String(error)), []),
    );
  };
}

/** The address in a URL that names one instead of a host; IPv6 stands in brackets there. */
function literalAddress({ hostname }: URL): string | null {
  const bare = hostname.replace(/^\[|\]$/gu, "");
  return isIP(bare) === 0 ? null : bare;
}

function notAllowed({ host }: URL): OutboundRefused {
  return new OutboundRefused(
    "outbound.address_not_allowed",
    `${host} is not on the public internet. If the office should call it, name it under office.outbound.allow in the configuration.`,
  );
}

function noAddress({ host }: URL): Error {
  return new Error(`${host} has no address.`);
}
