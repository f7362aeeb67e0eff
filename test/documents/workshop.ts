import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "../sources.ts";
import { doors } from "./doors.ts";
import type { Program } from "./programs.ts";

/** For `node --import`: see there. */
export const doorsHook = fileURLToPath(import.meta.resolve("./doors-hook.ts"));

/** What a program printed, without blanks around it, and how it ended. */
export interface Ending {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** How long a program of the documents may take, in milliseconds. */
const longestRunMs = 180_000;

/** A folder outside the repository in which code of the documents is compiled and run as a service's would be. */
export class Workshop {
  readonly #folder = mkdtempSync(join(tmpdir(), "dead-letter-office-documents-"));

  constructor() {
    symlinkSync(join(root, "node_modules"), join(this.#folder, "node_modules"));
    writeFileSync(join(this.#folder, "package.json"), '{ "type": "module" }');
    writeFileSync(join(this.#folder, "tsconfig.json"), JSON.stringify(settings));
  }

  write(programs: readonly Program[]): void {
    for (const { name, text } of programs) {
      mkdirSync(join(this.#folder, dirname(name)), { recursive: true });
      writeFileSync(join(this.#folder, name), text);
    }
  }

  /** What the compiler has to say, each complaint with its place in the documents. */
  async compile(programs: readonly Program[]): Promise<string[]> {
    this.write(programs);
    const compiler = join(root, "node_modules", "typescript", "bin", "tsc");
    // Four checkers side by side each work out what they share: twice the processor time.
    const { stdout } = await this.#node([compiler, "--pretty", "false", "--checkers", "1"]);
    const byFile = new Map(programs.map((program) => [program.name, program]));
    return stdout
      .split("\n")
      .filter(Boolean)
      .map((complaint) => {
        const [, file = "", line = "", text] = /^([^(]+)\((\d+),\d+\): (.*)$/.exec(complaint) ?? [];
        return text === undefined ? complaint : `${byFile.get(file)?.place(Number(line)) ?? file}: ${text}`;
      });
  }

  /** `programs` given to `compile` or `write` before are found by their names. */
  run(program: Program): Promise<Ending> {
    this.write([program]);
    return this.#node(["--import", doorsHook, program.name]);
  }

  clear(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #node(args: readonly string[]): Promise<Ending> {
    const env = { ...process.env, NO_COLOR: "1", NODE_OPTIONS: "" };
    return new Promise((resolve) => {
      const options = { cwd: this.#folder, env, timeout: longestRunMs };
      const child = execFile(process.execPath, [...args], options, (_error, stdout, stderr) => {
        resolve({ exitCode: child.exitCode ?? -1, stdout: stdout.trim(), stderr: stderr.trim() });
      });
    });
  }
}

/** As strict as the repository itself, except that a fragment may leave unused what it shows. */
const settings = {
  extends: join(root, "tsconfig.json"),
  compilerOptions: {
    paths: Object.fromEntries([...doors].map(([name, source]) => [name, [join(root, source)]])),
    typeRoots: [join(root, "node_modules", "@types")],
    noUnusedLocals: false,
    noUnusedParameters: false,
    allowImportingTsExtensions: true,
  },
  include: ["*/*.ts"],
};
