import { execFileSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import launcher from "../launcher/package.json" with { type: "json" };
import manifest from "../package.json" with { type: "json" };
import toolchain from "../toolchain/package.json" with { type: "json" };
import { root } from "./sources.ts";

const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" })
  .split("\0")
  .filter((path) => path !== "" && existsSync(join(root, path)));
const texts = tracked
  .filter((path) => path !== "package-lock.json" && statSync(join(root, path)).isFile())
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }))
  .filter(({ text }) => !text.includes("\0"));
const documents = texts.filter(({ path }) => path.endsWith(".md"));

describe("the package", () => {
  it("brings nothing but its own files", () => {
    expect(manifest).not.toHaveProperty("dependencies");
    expect(manifest).not.toHaveProperty("optionalDependencies");
    expect(Object.keys(manifest.peerDependenciesMeta)).toEqual(Object.keys(manifest.peerDependencies));
  });

  it("is developed with the versions it promises to work with", () => {
    const tools: Readonly<Record<string, string>> = manifest.devDependencies;
    const unproven = Object.keys(manifest.peerDependencies).filter((peer) => tools[peer] === undefined);
    expect(unproven).toEqual([]);
  });

  it("says which versions it accepts, for every package", () => {
    const ranges = Object.entries({
      ...manifest.devDependencies,
      ...manifest.peerDependencies,
      ...launcher.dependencies,
      ...toolchain.optionalDependencies,
    });
    expect(ranges.filter(([, range]) => !/^[\^~]?\d+\.\d+\.\d+$/.test(range))).toEqual([]);
  });

  it("opens no door without a source behind it", () => {
    const sources = Object.values(manifest.exports).flatMap((door) =>
      typeof door === "string" ? [] : [door.default.replace(/^\.\/dist\/(.*)\.js$/, "src/$1.ts")],
    );
    expect(sources.filter((source) => !existsSync(join(root, source)))).toEqual([]);
  });
});

describe("the launcher", () => {
  it("is published together with the library, for the same Node", () => {
    expect(launcher.version).toBe(manifest.version);
    expect(launcher.dependencies["dead-letter-office"]).toBe(manifest.version);
    expect(launcher.engines).toEqual(manifest.engines);
  });

  it("brings the clients in the versions the library accepts", () => {
    const { "dead-letter-office": library, ...clients } = launcher.dependencies;
    expect(manifest.peerDependencies).toMatchObject(clients);
  });
});

describe("the scripts", () => {
  const scripts = new Map(Object.entries(manifest.scripts));

  it("set up first, so that a fresh clone needs no instruction", () => {
    const bare = [...scripts.keys()]
      // Parts of another, lint:types of lint, begin when that has set up.
      .filter((name) => !/^(pre|post)|:/.test(name))
      .filter((name) => !scripts.get(`pre${name}`)?.startsWith("node scripts/setup.mjs"));
    expect(bare).toEqual([]);
  });

  it("hand over to the program they start, so that it gets the signals", () => {
    const starting = [...scripts.values()].filter((command) => /^(exec )?node (src|bench|test)\//.test(command));
    expect(starting.filter((command) => !command.startsWith("exec "))).toEqual([]);
  });

  it("are what CI runs", () => {
    accessSync(join(root, ".ci/run"), constants.X_OK);
    expect(readFileSync(join(root, ".ci/run"), "utf8")).toContain("npm test");
  });
});

describe("the tracked files", () => {
  it("name no host in the lockfile, so that any registry serves", () => {
    const lockfile = readFileSync(join(root, "package-lock.json"), "utf8");
    expect(lockfile.match(/"resolved": "[^"]*:[^"]*"/g)).toBeNull();
  });

  it("name no place of one machine", () => {
    const place = /(?<![\w.])\/(home|root|Users|work|mnt|private)\/\w|\b[A-Z]:\\Users|\bregistry\.[\w.]+\.(org|com)\b/;
    expect(matching(place)).toEqual([]);
  });

  it("speak of the product, not of how it came about", () => {
    const making = /\b(sub-?agents?|coding agent|language model|(this|the|our) (workplace|sandbox)|in this session)\b/i;
    expect(matching(making)).toEqual([]);
  });
});

describe("the documents", () => {
  it("name only scripts that exist", () => {
    const named = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)].map((match) => ({
        path,
        script: match[1] ?? "",
      })),
    );
    expect(named.filter(({ script }) => !(script in manifest.scripts))).toEqual([]);
  });

  it("link only to files that exist", () => {
    const links = documents.flatMap(({ path, text }) =>
      [...text.matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)].map((match) => ({ path, to: match[1] ?? "" })),
    );
    expect(links.filter(({ path, to }) => !existsSync(join(root, dirname(path), to)))).toEqual([]);
  });

  it("mention only documents that exist", () => {
    const mentions = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/\b[A-Z]{2,}\.md\b/g)].map(([name]) => ({ path, name })),
    );
    const names = new Set(documents.map(({ path }) => path.split("/").at(-1)));
    expect(mentions.filter(({ name }) => !names.has(name))).toEqual([]);
  });
});

it("gives its migrations numbers that rise, each once: two of one number break every database", () => {
  const files = tracked.filter((path) => path.startsWith("migrations/"));
  const numbers = files.map((path) => /^migrations\/(\d{4})_\w+\.sql$/.exec(path)?.[1]);
  expect(numbers).not.toContain(undefined);
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one = "", other = "") => (one < other ? -1 : 1)));
});

/** Where tracked text matches, with what matched. */
function matching(pattern: RegExp): string[] {
  return texts
    .filter(({ path }) => path !== "test/repository.test.ts")
    .flatMap(({ path, text }) => {
      const found = pattern.exec(text);
      return found === null ? [] : [`${path}:${text.slice(0, found.index).split("\n").length}: ${found[0]}`];
    });
}
