#!/usr/bin/env node
// Looked at before anything is imported: on an older Node the import itself would fail, with a riddle for a message.
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 12)) {
  await import("dead-letter-office/cli");
} else {
  console.error(`dlo needs Node 22.12 or newer; this is ${process.versions.node}.`);
  process.exitCode = 1;
}
