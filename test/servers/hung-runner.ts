import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { startPostgres } from "./postgres.ts";

/** A test runner with a worker whose test never ends; prints the port of the worker's server. Made to be killed. */
if (process.send === undefined) fork(fileURLToPath(import.meta.url)).on("message", (port) => console.log(port));
else {
  const { port } = await startPostgres();
  process.send(port);
  setInterval(() => {}, 60_000);
}
