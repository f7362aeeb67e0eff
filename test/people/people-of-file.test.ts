import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type OpenedOffice, openOffice } from "../../src/compose.ts";
import { eventually } from "../../src/testing/eventually.ts";
import { signedInThere } from "./signed-in-there.ts";

const iss = "https://idp.example";
const boss = (roles: string) => `people:\n  - { id: boss, oidc: { iss: "${iss}", sub: s1 }, roles: [${roles}] }\n`;

let folder: string;
let office: OpenedOffice;
const write = (people: string) => writeFile(join(folder, "dlo.config.yaml"), `version: 1\n${people}`);
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "dlo-people-"));
  await write(boss("admin"));
  office = await openOffice({
    ...{ databaseUrl: null, dataFolder: join(folder, "data"), configFile: join(folder, "dlo.config.yaml") },
    ...{ env: {}, version: "1.2.3" },
  });
});
afterAll(async () => {
  await office.close();
  await rm(folder, { recursive: true });
});

it("follows `people:` of the file while the server runs, and keeps those it had while the file cannot be read", async () => {
  const { reception, people } = office;
  expect(await people.refresh()).toEqual([]);
  const session = await reception.signInBy(
    signedInThere({ issuer: iss, subject: "s1", name: null, groups: [] }),
    "::1",
  );
  const roles = async () => (await reception.bySession(session))?.actor.roles ?? null;
  expect(await roles()).toEqual(["admin"]);
  await office.startWork(["http"]);
  const trouble = () => office.work().chores.find(({ name }) => name === "people")?.trouble ?? null;

  await write(boss("viewer"));
  await eventually(async () => expect(await roles()).toEqual(["viewer"]), { withinMs: 60_000 });
  await write("people: nonsense\n");
  await eventually(async () => expect(trouble()).toContain("people"), { withinMs: 60_000 });
  expect(await roles()).toEqual(["viewer"]);
  await write("");
  await eventually(async () => expect(trouble()).toContain("says nothing of people"), { withinMs: 120_000 });
  expect(await roles()).toEqual(["viewer"]);
  await write("people: []\n");
  await eventually(async () => expect(await roles()).toBeNull(), { withinMs: 120_000 });
  await eventually(async () => expect(trouble()).toBeNull(), { withinMs: 60_000 });
});
