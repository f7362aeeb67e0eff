import { expect, it } from "vitest";
import { loadClient } from "./client-library.ts";

it("says how to install a package that is not there", async () => {
  const name = "no-such-broker-client";
  await expect(loadClient("A broker", name, () => import(name))).rejects.toMatchObject({
    code: "MISSING_CLIENT_LIBRARY",
    message: `A broker needs the package ${name}: npm install ${name} (with -g if dead-letter-office was installed so)`,
    details: { package: name },
  });
});

it("says what is wrong with a package that is there and cannot be loaded", async () => {
  const broken = () => Promise.reject(new SyntaxError("Unexpected token"));
  await expect(loadClient("A broker", "broken", broken)).rejects.toMatchObject({
    code: "MISSING_CLIENT_LIBRARY",
    message:
      "A broker needs the package broken, which is there and cannot be loaded: Unexpected token. Install it anew: npm install broken",
  });
});
