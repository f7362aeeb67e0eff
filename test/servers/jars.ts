import { existsSync } from "node:fs";
import { connect } from "node:net";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

/** Servers that run on Java, from jars that scripts/setup-servers.mjs has fetched. */

export const java = (process.env.PATH ?? "")
  .split(delimiter)
  .map((folder) => join(folder, "java"))
  .find((file) => existsSync(file));

/** Where the jars of a server are, whether they have been fetched or not. */
export function jarsOf(server: string): string {
  return join(process.env.DLO_SERVER_JARS ?? join(homedir(), ".cache", "dlo-servers"), server);
}

/** Whether it can be started here. */
export function hasJars(server: string): boolean {
  return java !== undefined && existsSync(join(jarsOf(server), "complete"));
}

/** What any `java` of the tests is given: quick to start, and no more memory than that. */
export function javaFlags(megabytes: number): string[] {
  return ["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", `-Xmx${megabytes}m`];
}

/** What `java` is given to run a class of a server whose jars are all in one folder. */
export function javaArguments(server: string, megabytes: number, ...rest: readonly string[]): string[] {
  return [...javaFlags(megabytes), "-cp", join(jarsOf(server), "libs", "*"), ...rest];
}

/** Rejects while nobody listens at this port. */
export function listening(port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: "127.0.0.1" });
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.destroy();
      resolve();
    });
  });
}
