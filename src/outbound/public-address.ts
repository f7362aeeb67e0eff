import { BlockList, isIP } from "node:net";

/** Networks of IPv4 that do not lead to the public internet: private, shared, loopback, link-local, reserved. */
const closedNetworks: readonly (readonly [string, number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
];

/** Inside IPv6's public part: protocol assignments, documentation, and 6to4, which wraps any IPv4 address. */
const closedPublicNetworks: readonly (readonly [string, number])[] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

const closed = listOf(closedNetworks, closedPublicNetworks);

/** All of IPv6 that is given to anybody. What wraps IPv4 (mapped, NAT64) lies outside it, and so is not public. */
const open = listOf([], [["2000::", 3]]);

function listOf(ipv4: readonly (readonly [string, number])[], ipv6: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ipv4) list.addSubnet(network, prefix, "ipv4");
  for (const [network, prefix] of ipv6) list.addSubnet(network, prefix, "ipv6");
  return list;
}

/** Whether an address leads to the public internet; anything that is no address does not. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !closed.check(address, "ipv4");
  return family === 6 && open.check(address, "ipv6") && !closed.check(address, "ipv6");
}
