import { once } from "node:events";
import { type RequestListener, request, createServer as withoutTls } from "node:http";
import { createServer as withTls } from "node:https";
import type { AddressInfo } from "node:net";
import type { Certificate } from "./certificate.ts";

/** A reverse proxy before processes of one server, as a load balancer without affinity is. */
export interface AlternatingProxy {
  /** How people reach it. */
  readonly url: string;
  /** Which of the processes answered, in order: each request goes to the next one. */
  readonly answered: readonly number[];
  /** Begins to hand requests on to the processes on these ports. */
  lead(ports: readonly number[]): void;
  close(): Promise<void>;
}

/** Encrypted where it has a certificate. Hands on `Host` as it came. */
export async function startAlternatingProxy(certificate: Certificate | null): Promise<AlternatingProxy> {
  let targets: readonly number[] = [];
  const answered: number[] = [];
  let next = 0;
  const handOn: RequestListener = (incoming, outgoing) => {
    const turn = next % Math.max(1, targets.length);
    next += 1;
    answered.push(turn);
    const { method, url, headers } = incoming;
    const onward = request({ host: "127.0.0.1", port: targets[turn], method, path: url, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on("error", () => outgoing.destroy());
    outgoing.on("close", () => onward.destroy());
    incoming.pipe(onward);
  };
  const server =
    certificate === null
      ? withoutTls(handOn)
      : withTls({ cert: certificate.certificate, key: certificate.key }, handOn);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `${certificate === null ? "http" : "https"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answered,
    lead(ports) {
      targets = ports;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
