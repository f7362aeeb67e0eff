import { createServer } from "node:http";
import { cannotListen } from "./cannot-listen.ts";
import { metricsType } from "./metrics.ts";
import type { ListenAddress } from "./public-address.ts";

export interface ServingMetrics {
  close(): Promise<void>;
}

/** A port of its own for a monitor that cannot sign in: the figures of the office, one word of health, and nothing else. */
export async function serveMetrics(listen: ListenAddress, read: () => Promise<string>): Promise<ServingMetrics> {
  const server = createServer((request, response) => {
    if (request.method === "GET" && request.url === "/healthz") {
      response.writeHead(200, { "content-type": "text/plain" }).end("ok");
      return;
    }
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    read().then(
      (text) => response.writeHead(200, { "content-type": metricsType }).end(text),
      () => response.writeHead(503).end(),
    );
  });
  await new Promise<void>((listening, reject) => {
    server.once("error", (error) => reject(cannotListen(listen, error, "--metrics-listen")));
    server.listen(listen.port, listen.host, () => listening());
  });
  return {
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(() => closed());
      }),
  };
}
