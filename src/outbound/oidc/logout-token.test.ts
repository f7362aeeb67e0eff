import { expect, it } from "vitest";
import { logoutTokenReader } from "./logout-token.ts";

it("reads no keys by plain http where the issuer is elsewhere", async () => {
  const asked: string[] = [];
  const metadata = { issuer: "https://id.example", jwks_uri: "http://id.example/jwks" };
  const read = logoutTokenReader(metadata, "dlo", async (url) => {
    asked.push(url);
    return Response.json({ keys: [] });
  });
  await expect(read("a.b.c")).rejects.toThrow("the provider's keys are not at an https address");
  expect(asked).toEqual([]);
});
