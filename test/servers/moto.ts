import { releaseProgram, useReleaseProgram } from "./release-program.ts";

const program = releaseProgram("moto", "bin", "moto_server");

/** Why there is no moto to test with; undefined where there is one. */
export const noMoto = program.missing;

/** Moto's server for the tests of one `describe`, which lets everybody do everything. */
export function useMoto(): { readonly endpoint: string } {
  const server = useReleaseProgram(program, (_, port) => ["-H", "127.0.0.1", "-p", String(port)]);
  return {
    get endpoint() {
      return `http://127.0.0.1:${server.port}`;
    },
  };
}
