/**
 * Sees to it that the servers the tests start are there: looks for their binaries, and as root on Debian installs the
 * missing ones. Elsewhere it says what is missing; the tests that need it then skip, except with CI=true.
 */
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";

const postgresRoot = "/usr/lib/postgresql";

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
    environment: "DLO_TEST_PGBOUNCER_URL",
    isHere: () => isOnPath("pgbouncer"),
  },
  {
    name: "RabbitMQ",
    debianPackage: "rabbitmq-server",
    environment: "DLO_TEST_RABBITMQ_URL",
    isHere: () => isProgram("/usr/lib/rabbitmq/bin/rabbitmq-server"),
  },
];

let missing = findMissing();
if (missing.length > 0 && canInstall()) {
  installDebianPackages(missing.map((server) => server.debianPackage));
  missing = findMissing();
}
if (missing.length > 0) complain();

function findMissing() {
  return servers.filter((server) => !process.env[server.environment] && !server.isHere());
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
  const urls = missing.map((server) => server.environment).join(", ");
  console.error(
    [
      "",
      `  MISSING: ${names}. The tests that need ${missing.length === 1 ? "it" : "them"} cannot run.`,
      `  Install with: sudo apt-get install ${packages}`,
      `  or point at a running one with: ${urls}`,
      "",
    ].join("\n"),
  );
  if (process.env.CI === "true") process.exit(1);
}
