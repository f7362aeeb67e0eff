import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { dlo } from "./dlo.ts";

const folder = mkdtempSync(join(tmpdir(), "dlo-start-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function refusal(args: readonly string[], env: Readonly<Record<string, string>>) {
  const { code, stdout } = await dlo(["up", "--json", ...args], env);
  const { error } = JSON.parse(stdout) as {
    readonly error: { readonly message: string; readonly hint: string | null };
  };
  return { code, ...error };
}

describe("an office that cannot start says why, and what to do", { timeout: 120_000 }, () => {
  it("where its data folder is a file", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    expect(await refusal([], { DLO_DATA: file })).toMatchObject({
      ...{ code: "input.invalid_file", message: `The data folder ${file} is a file, not a folder.` },
      hint: expect.stringContaining("DLO_DATA") as string,
    });
  });

  it("where its ledger is not one", async () => {
    const data = join(folder, "junk");
    mkdirSync(join(data, "ledger"), { recursive: true });
    writeFileSync(join(data, "ledger", "PG_VERSION"), "junk\n");
    expect(await refusal([], { DLO_DATA: data })).toMatchObject({
      code: "store.unavailable",
      message: expect.stringMatching(
        /^The embedded ledger in .* cannot be opened: .* MB are free on its disk\.$/,
      ) as string,
      hint: expect.stringContaining("dlo restore") as string,
    });
  });

  it.each(["localhost", "mysql://somebody:secret@127.0.0.1/dlo"])("where its database is none: %s", async (url) => {
    const said = await refusal([], { DLO_DATA: join(folder, "unused"), DATABASE_URL: url });
    expect(said).toMatchObject({
      code: "input.invalid_option",
      message: "The ledger's address must begin with postgres://, and it does not.",
      hint: expect.stringContaining("DATABASE_URL") as string,
    });
  });

  it("where something listens on its port for monitors", async () => {
    const taken = createServer();
    await new Promise<void>((listening) => taken.listen(0, "127.0.0.1", listening));
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as { readonly port: number };
    const args = ["--only", "intake", "--metrics-listen", `127.0.0.1:${port}`];
    expect(await refusal(args, { DLO_DATA: join(folder, "own") })).toMatchObject({
      ...{ code: "input.invalid_option", hint: "Choose another place with --metrics-listen 127.0.0.1:PORT." },
      message: `The office cannot listen on 127.0.0.1:${port}. Something listens there already.`,
    });
  });
});
