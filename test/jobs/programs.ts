import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** How a framework of another language is run, or why it cannot be here. */
export interface Program {
  /** Undefined where it can be run. */
  readonly missing: string | undefined;
  /** The language is not here, or cannot install anything: then nobody expects its frameworks, not even in CI. */
  readonly isForeign: boolean;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

const cache = process.env.DLO_JOB_FRAMEWORKS ?? join(homedir(), ".cache", "dlo-jobs");
const workers = join(import.meta.dirname, "workers");
const remedy = "node scripts/setup-jobs.mjs installs it";

/** Where `scripts/setup-jobs.mjs` builds it: another one when its sources change. */
function goWorker(): string {
  const folder = join(workers, "go");
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) hash.update(readFileSync(join(folder, name)));
  return join(cache, "go", `worker-${hash.digest("hex").slice(0, 16)}`);
}

function isOnPath(name: string): boolean {
  return [...(process.env.PATH ?? "").split(delimiter), "/usr/bin"].some((folder) => existsSync(join(folder, name)));
}

function canInstall(language: string): boolean {
  if (language !== "python3") return isOnPath(language);
  return spawnSync("python3", ["-m", "pip", "--version"], { stdio: "ignore" }).status === 0;
}

function program(
  language: string,
  name: string,
  {
    isHere,
    command,
    env = {},
  }: { isHere: boolean; command: readonly string[]; env?: Readonly<Record<string, string>> },
): Program {
  const isForeign = !isHere && !canInstall(language);
  const why = isForeign ? `${language} is not installed, or cannot install` : `${name} is not installed: ${remedy}`;
  return { missing: isHere ? undefined : why, isForeign, command, env };
}

function python(framework: string): Program {
  const { stdout } = spawnSync("python3", ["-c", "import platform; print(platform.python_version())"]);
  const packages = join(cache, `python-${String(stdout ?? "").trim()}`);
  return program("python3", framework, {
    isHere: isOnPath("python3") && existsSync(join(packages, framework)),
    command: ["python3", join(workers, `${framework}_worker.py`)],
    env: { PYTHONPATH: [packages, workers].join(delimiter), PYTHONDONTWRITEBYTECODE: "1" },
  });
}

function go(framework: string): Program {
  const built = goWorker();
  return program("go", framework, { isHere: existsSync(built), command: [built, framework] });
}

/** From Debian's packages, as Sidekiq is: nobody installs them for the tests alone. */
function php(framework: string, library: string): Program {
  const isHere = isOnPath("php") && existsSync(join("/usr/share/php", library));
  const command = ["php", join(workers, `${framework}_worker.php`)];
  const missing = isHere ? undefined : `PHP with ${library} is not installed`;
  return { missing, isForeign: !isHere, command, env: {} };
}

/** Run where it is, and expected nowhere: it is not alone in showing what it shows. */
function welcome(found: Program): Program {
  return { ...found, isForeign: found.missing !== undefined };
}

export const programs = {
  rq: python("rq"),
  dramatiq: python("dramatiq"),
  celery: welcome(python("celery")),
  asynq: go("asynq"),
  river: go("river"),
  laravel: php("laravel", "Illuminate/autoload.php"),
  symfonyMessenger: php("symfony_messenger", "Symfony/Component/Messenger/Bridge/Doctrine/autoload.php"),
  sidekiq: program("ruby", "Sidekiq", {
    isHere: isOnPath("sidekiq"),
    command: ["ruby", join(workers, "sidekiq_worker.rb")],
  }),
} as const;

/** Of Sidekiq, whose worker is a program of its own. */
export const sidekiqAtWork = (queue: string) => [
  ...["sidekiq", "-r", join(workers, "sidekiq_worker.rb"), "-q", queue, "-c", "1", "-t", "1"],
];
