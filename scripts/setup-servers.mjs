/**
 * Sees to it that the servers the tests start are there: looks for their binaries, and as root on Debian installs the
 * missing ones; Kafka comes from the Maven repository. Elsewhere it says what is missing; the tests that need it then
 * skip, except with CI=true.
 */
import { spawnSync } from "node:child_process";
import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

const postgresRoot = "/usr/lib/postgresql";
/** Where test/servers/rabbitmq.ts looks for it. */
const rabbitmqFolders = ["/usr/lib/rabbitmq/bin", "/usr/local/sbin", "/opt/rabbitmq/sbin"];
const kafkaPom = join(import.meta.dirname, "..", "test", "servers", "kafka", "pom.xml");
/** Where its jars are kept, for all working copies of this user. test/servers/kafka.ts looks for them there. */
const kafkaJars = join(process.env.DLO_SERVER_JARS ?? join(homedir(), ".cache", "dlo-servers"), "kafka");

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
    name: "Chromium, for the web UI",
    debianPackage: "chromium",
    environment: "DLO_TEST_CHROMIUM",
    isHere: () => isOnPath("chromium"),
  },
  {
    name: "Java, for Kafka",
    debianPackage: "default-jre-headless",
    environment: "DLO_TEST_KAFKA_BROKERS",
    isHere: () => isOnPath("java"),
  },
  {
    name: "Maven, which fetches Kafka",
    debianPackage: "maven",
    environment: "DLO_TEST_KAFKA_BROKERS",
    isHere: () => hasKafka() || isOnPath("mvn"),
  },
];

let missing = findMissing();
if (missing.length > 0 && canInstall()) {
  installDebianPackages(missing.map((server) => server.debianPackage));
  missing = findMissing();
}
if (!process.env.DLO_TEST_KAFKA_BROKERS && !hasKafka() && isOnPath("mvn")) fetchKafka();
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

/** The jars are complete, and of the version that is asked for. */
function hasKafka() {
  const stamp = join(kafkaJars, "complete");
  return existsSync(stamp) && readFileSync(stamp, "utf8") === readFileSync(kafkaPom, "utf8");
}

/** Fetches the jars beside where they belong: several may do so at once, and whoever reads sees all of them or none. */
function fetchKafka() {
  console.error("Setting up: fetching Kafka with Maven, 44 MB, once …");
  const folder = `${kafkaJars}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  copyFileSync(kafkaPom, join(folder, "pom.xml"));
  const args = ["-q", "-B", "dependency:copy-dependencies", "-DoutputDirectory=libs"];
  const { status, stdout, stderr } = spawnSync("mvn", args, { cwd: folder, encoding: "utf8" });
  if (status === 0) {
    copyFileSync(kafkaPom, join(folder, "complete"));
    rmSync(kafkaJars, { recursive: true, force: true });
    if (!existsSync(kafkaJars)) renameSync(folder, kafkaJars);
  } else {
    console.error(`Maven failed; the tests that need Kafka cannot run:\n${stdout ?? ""}${stderr ?? ""}`);
    if (process.env.CI === "true") process.exitCode = 1;
  }
  rmSync(folder, { recursive: true, force: true });
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
