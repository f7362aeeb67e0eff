import { expect, it } from "vitest";
import { parseNatsAddress } from "./address.ts";

it("reads servers, a user and files out of one address", () => {
  const files = "ca=/etc/ca.pem&cert=/etc/client.pem&key=/etc/client.key&credentials=/run/dlo.creds";
  expect(parseNatsAddress(`nats://dlo:p%40ss@one:4222?${files},nats://two`)).toEqual({
    servers: ["one:4222", "two:4222"],
    user: "dlo",
    pass: "p@ss",
    tls: { caFile: "/etc/ca.pem", certFile: "/etc/client.pem", keyFile: "/etc/client.key" },
    credentialsFile: "/run/dlo.creds",
  });
});

it("wants TLS where the address says so, and only there", () => {
  expect(parseNatsAddress("tls://one")).toEqual({ servers: ["one:4222"], tls: {} });
  expect(parseNatsAddress("nats://one")).toEqual({ servers: ["one:4222"] });
});
