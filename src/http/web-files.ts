import { readdir, readFile } from "node:fs/promises";
import { extname } from "node:path";
import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { FastifyInstance, FastifyReply } from "fastify";
import { addressOf } from "./client.ts";
import { firstInbox } from "./first-questions.ts";

/** The built web UI: the same place from src/http and from dist/http. */
const builtWeb = new URL("../../dist/web/", import.meta.url);

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/** The pages of the web UI, by path. They are few, so they are kept in memory: no request names a file to read. */
export type WebFiles = ReadonlyMap<string, Buffer>;

/** Empty where it was not built. */
export async function readWebFiles(folder: URL = builtWeb): Promise<WebFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile() && extname(entry.name) in types);
  const read = files.map(async ({ parentPath, name }): Promise<[string, Buffer]> => {
    const file = new URL(`file://${parentPath.replace(/\/?$/, "/")}${name}`);
    return [`/${file.pathname.slice(folder.pathname.length)}`, await readFile(file)];
  });
  return new Map(await Promise.all(read));
}

const pack = promisify(gzip);
const takesPacked = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/;

/** Files with a hash in their name never change; everything else is asked for again. */
export function addWebFiles(app: FastifyInstance, files: WebFiles, basePath: string): void {
  for (const [path, content] of files) {
    if (path === "/index.html") continue;
    let packing: Promise<Buffer> | null = null;
    app.get(`${basePath}${path}`, async (request, reply) => {
      if (path.startsWith("/assets/")) void reply.header("cache-control", "public, max-age=31536000, immutable");
      void reply.type(types[extname(path)] ?? "application/octet-stream").header("vary", "accept-encoding");
      if (!takesPacked.test(request.headers["accept-encoding"] ?? "")) return reply.send(content);
      packing ??= pack(content);
      return reply.header("content-encoding", "gzip").send(await packing);
    });
  }
}

/** The one page of the web UI, which shows what its address says; null where the UI was not built. */
export function webPage(
  files: WebFiles,
  basePath: string,
): ((path: string, reply: FastifyReply) => FastifyReply) | null {
  const built = files.get("/index.html")?.toString();
  if (built === undefined) return null;
  const page = built
    .replaceAll(/(href|src)="\//g, `$1="${basePath}/`)
    .replace('name="dlo-base" content=""', `name="dlo-base" content="${basePath}"`);
  const everywhere = [`${basePath}/auth/session`];
  const inbox = [...everywhere, `${basePath}${addressOf("inbox.list", firstInbox)}`];
  return (path, reply) => {
    const asked = path === `${basePath}/` ? inbox : everywhere;
    return reply
      .type(types[".html"] ?? "")
      .header("link", asked.map(askedEarly).join(", "))
      .send(page);
  };
}

function askedEarly(address: string): string {
  return `<${address}>; rel=preload; as=fetch; crossorigin`;
}
