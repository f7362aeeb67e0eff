/**
 * Sees to it that the servers the tests start are there: looks for their binaries, and as root on Debian installs the
 * missing ones; Kafka, ElasticMQ and Keycloak come from the Maven repository, and Go builds those
 * and pip installs those that only `npm run test:release` needs (--release). Elsewhere it says what is missing; the tests that need it then
 * skip, except with CI=true.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { buildWithGo, dex, isBuilt, minio } from "./servers/go.mjs";
import { keycloak } from "./servers/keycloak.mjs";
import { asJars, fetchJars, hasJars, isGiven } from "./servers/maven.mjs";
import { installWithPip, isInstalled, moto } from "./servers/pip.mjs";

const postgresRoot = "/usr/lib/postgresql";
/** Where test/servers/rabbitmq.ts looks for it. */
const rabbitmqFolders = ["/usr/lib/rabbitmq/bin", "/usr/local/sbin", "/opt/rabbitmq/sbin"];
const kafka = {
  ...{ folder: "kafka", name: "Kafka", size: "44 MB", environment: "DLO_TEST_KAFKA_BROKERS" },
  ...asJars,
};
const elasticmq = {
  ...{ folder: "elasticmq", name: "ElasticMQ", size: "37 MB", environment: "DLO_TEST_SQS_ENDPOINT" },
  ...asJars,
};
const fromMaven = [kafka, elasticmq, keycloak];
const builtWithGo = process.argv.includes("--release") ? [dex, minio] : [];
const installedWithPip = process.argv.includes("--release") ? [moto] : [];

/** What the tests need: a program, the Debian package it comes in, or the URL of one that runs already. */
const servers = [
  {
    name: "PostgreSQL",
    debianPackage: "postgresql",
    environment: "DLO_TEST_POSTGRES_URL",
    isHere: () =>
      isOnPath("postgres") ||
      (existsSync(postgresRoot) &&
        readdirSync(postgresRoot).some((version) => isProgram(join(postgresRoot, version, "bin", "postgres")))),
  },
  {
    name: "PgBouncer",
    debianPackage: "pgbouncer",
    // The tests put one in front of a server of their own.
    environment: null,
    isHere: () => isOnPath("pgbouncer"),
  },
  {
    name: "RabbitMQ",
    debianPackage: "rabbitmq-server",
    environment: "DLO_TEST_RABBITMQ_URL",
    isHere: () => rabbitmqFolders.some((folder) => isProgram(join(folder, "rabbitmq-server"))),
  },
  {
    name: "Redis",
    debianPackage: "redis-server",
    environment: "DLO_TEST_REDIS_URL",
    isHere: () => isOnPath("redis-server"),
  },
  {
    name: "NATS",
    debianPackage: "nats-server",
    environment: "DLO_TEST_NATS_URL",
    isHere: () => isOnPath("nats-server"),
  },
  {
    name: "Sidekiq, whose failed jobs are read",
    debianPackage: "ruby-sidekiq",
    environment: null,
    isHere: () => isOnPath("sidekiq"),
  },
  {
    name: "Chromium, for the web UI",
    debianPackage: "chromium",
    environment: "DLO_TEST_CHROMIUM",
    isHere: () => isOnPath("chromium"),
  },
  {
    name: "Java, for Kafka, ElasticMQ and Keycloak",
    debianPackage: "default-jre-headless",
    environment: null,
    isHere: () => isOnPath("java") || fromMaven.every(isGiven),
  },
  {
    name: "Maven, which fetches Kafka, ElasticMQ and Keycloak",
    debianPackage: "maven",
    environment: null,
    isHere: () => isOnPath("mvn") || fromMaven.every((server) => isGiven(server) || hasJars(server)),
  },
  {
    name: "Go, which builds what only the tests of a release need",
    debianPackage: "golang",
    environment: null,
    isHere: () => isOnPath("go") || builtWithGo.every(isBuilt),
  },
  {
    name: "Python, for moto, which only the tests of a release need",
    debianPackage: "python3-venv",
    environment: null,
    isHere: () => isOnPath("python3") || installedWithPip.every(isInstalled),
  },
];

let missing = findMissing();
if (missing.length > 0 && canInstall()) {
  installDebianPackages(missing.map((server) => server.debianPackage));
  missing = findMissing();
}
for (const server of fromMaven) {
  if (!isGiven(server) && !hasJars(server) && isOnPath("mvn")) fetchJars(server);
}
for (const server of builtWithGo) {
  if (!isBuilt(server) && isOnPath("go")) buildWithGo(server);
}
for (const server of installedWithPip) {
  if (!isInstalled(server) && isOnPath("python3")) installWithPip(server);
}
if (missing.length > 0) complain();

function findMissing() {
  return servers.filter((server) => !(server.environment && process.env[server.environment]) && !server.isHere());
}

/** @param {string} program */
function isOnPath(program) {
  // Debian puts servers into sbin, which is not on everybody's path.
  const folders = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.some((folder) => isProgram(join(folder, program)));
}

/** @param {string} path */
function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function canInstall() {
  return process.getuid?.() === 0 && isOnPath("apt-get");
}

/** @param {readonly string[]} names */
function installDebianPackages(names) {
  console.error(`Setting up: installing ${names.join(" and ")} with apt-get …`);
  whileNothingStarts(() => {
    aptGet("update");
    aptGet("install", "--yes", "--no-install-recommends", ...names);
  });
}

/** @param {readonly string[]} args */
function aptGet(...args) {
  const patience = ["-o", "DPkg::Lock::Timeout=300", "-o", "Acquire::Retries=2"];
  const { status, stdout, stderr } = spawnSync("apt-get", ["-qq", ...patience, ...args], {
    encoding: "utf8",
    env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
  });
  if (status !== 0) console.error(`apt-get ${args[0]} failed:\n${stdout ?? ""}${stderr ?? ""}`);
}

/**
 * Debian starts a server as soon as it is installed. The tests start their own, on free ports, and want no other.
 * @param {() => void} install
 */
function whileNothingStarts(install) {
  const policy = "/usr/sbin/policy-rc.d";
  if (existsSync(policy)) return install();
  writeFileSync(policy, "#!/bin/sh\nexit 101\n", { mode: 0o755 });
  try {
    install();
  } finally {
    rmSync(policy, { force: true });
  }
}

function complain() {
  const names = missing.map((server) => server.name).join(" and ");
  const packages = missing.map((server) => server.debianPackage).join(" ");
  const urls = [...new Set(missing.flatMap((server) => server.environment ?? []))].join(", ");
  console.error(
    [
      "",
      `  MISSING: ${names}. The tests that need ${missing.length === 1 ? "it" : "them"} cannot run.`,
      `  Install with: sudo apt-get install ${packages}`,
      ...(urls === "" ? [] : [`  or point at a running one with: ${urls}`]),
      "",
    ].join("\n"),
  );
  if (process.env.CI === "true") process.exit(1);
}
