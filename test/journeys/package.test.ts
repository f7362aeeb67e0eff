import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { root } from "../sources.ts";

/** Doors that are of no use without certain packages, and so load them at once. */
const needs: Readonly<Record<string, readonly string[]>> = {
  "./opentelemetry": ["@opentelemetry/api"],
  "./policy": ["yaml", "zod", "@marcbachmann/cel-js", "re2js"],
  "./office": ["yaml", "zod", "@marcbachmann/cel-js", "re2js"],
};

/** What a service gets that installs the package: packed from a copy, since packing rewrites package.json for a moment. */
describe("the published package", () => {
  const scratch = mkdtempSync(join(tmpdir(), "dead-letter-office-package-"));
  const service = join(scratch, "service");
  const installed = join(service, "node_modules", manifest.name);
  const specifierOf = (door: string) => door.replace(/^\./, manifest.name);
  const doors = Object.keys(manifest.exports).filter((door) => door !== "./package.json" && door !== "./cli");

  beforeAll(() => install(pack(join(scratch, "copy")), installed));
  afterAll(() => rmSync(scratch, { recursive: true, force: true }));

  it("holds the compiled library and its papers, and nothing else", () => {
    const files = run("find", [".", "-type", "f"], installed).split("\n");
    const expected =
      /^\.\/(dist\/(?!.*\.test\.).*\.(js|d\.ts)|dist\/web\/.*\.(html|css|svg)|migrations\/.*\.sql|package\.json|LICENSE|[A-Z]+\.md)$/;
    expect(files.filter((file) => !expected.test(file))).toEqual([]);
  });

  it("offers no command, brings no package and runs no script", () => {
    const published: unknown = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
    for (const field of ["bin", "dependencies", "optionalDependencies", "scripts", "workspaces"]) {
      expect(published).not.toHaveProperty(field);
    }
  });

  it("passes the checks of publint", async () => {
    const { messages, pkg } = await publint({ pkgDir: installed, strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });

  it.each(doors.filter((door) => !(door in needs)))("opens %s where no other package is installed", (door) => {
    expect(namesBehind(door)).not.toEqual([]);
  });

  it.each(Object.entries(needs))("opens %s where the packages it is made of are installed", (door, packages) => {
    for (const name of packages) provide(name);
    expect(namesBehind(door)).not.toEqual([]);
  });

  it("has types that a service compiles against", () => {
    for (const peer of Object.keys(manifest.peerDependencies)) provide(peer);
    const uses = doors.map((door, index) => `export * as door${index} from "${specifierOf(door)}";`);
    writeFileSync(join(service, "service.ts"), uses.join("\n"));
    const options = ["--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", "--target", "es2023"];
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    expect(run(process.execPath, [compiler, ...options, "service.ts"], service)).toBe("");
  });

  function namesBehind(door: string): unknown {
    const script = `console.log(JSON.stringify(Object.keys(await import("${specifierOf(door)}"))))`;
    return JSON.parse(run(process.execPath, ["--input-type=module", "--eval", script], service));
  }

  function provide(name: string): void {
    const link = join(service, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    if (!existsSync(link)) symlinkSync(join(root, "node_modules", name), link);
  }
});

/** Packs the working tree and returns the tarball. */
function pack(copy: string): string {
  const left = new Set(["node_modules", "dist", ".git"]);
  cpSync(root, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"));
  return join(copy, run("npm", ["pack"], copy).split("\n").at(-1) ?? "");
}

function install(tarball: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  run("tar", ["--extract", "--file", tarball, "--strip-components=1"], folder);
}

/** What a command prints; if it fails, the test fails with it. */
function run(command: string, args: readonly string[], folder: string): string {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed:\n${stdout}${stderr}`);
  return stdout.trim();
}
