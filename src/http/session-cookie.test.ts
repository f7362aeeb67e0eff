import { expect, it } from "vitest";
import { publicAddress } from "./public-address.ts";
import { sessionCookieName } from "./session-cookie.ts";

it("is named after the public address, so that every process behind it knows it, and no other server", () => {
  const at = (publicUrl: string, port: number, basePath = "/") =>
    sessionCookieName(publicAddress(publicUrl, { host: "127.0.0.1", port }, basePath));
  expect(at("https://dlo.example", 7717)).toBe(at("https://dlo.example:443/", 7718));
  const names = [
    at("https://dlo.example", 7717),
    at("https://dlo.example:8443", 7717),
    at("http://dlo.example", 7717),
    at("https://dlo.example", 7717, "/eu"),
    at("https://dlo.example", 7717, "/us/"),
    sessionCookieName(publicAddress(null, { host: "127.0.0.1", port: 7717 })),
    sessionCookieName(publicAddress(null, { host: "127.0.0.1", port: 7718 })),
  ];
  expect(new Set(names).size).toBe(names.length);
});
