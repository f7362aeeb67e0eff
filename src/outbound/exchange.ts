import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { LookupFunction } from "node:net";

export interface OutboundCall {
  /** @default "GET" */
  readonly method?: "GET" | "HEAD" | "POST" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | string;
  readonly signal?: AbortSignal;
}

export interface OutboundAnswer {
  readonly status: number;
  /** Names in lower case; of repeated ones the first. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
  /** There was more than was read. */
  readonly isCut: boolean;
}

export interface ExchangeRules {
  readonly lookup: LookupFunction;
  readonly maxAnswerBytes: number;
  /** Certificates of authorities, in PEM; null for those of Node. */
  readonly ca: readonly string[] | null;
}

/** One request and its answer over a connection of its own: a pooled one was vetted for somebody else. */
export function exchange(
  url: URL,
  call: OutboundCall,
  { lookup, maxAnswerBytes, ca }: ExchangeRules,
): Promise<OutboundAnswer> {
  const { method = "GET", headers = {}, body, signal } = call;
  const begin = url.protocol === "https:" ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers: { ...headers },
      lookup,
      agent: false,
      ...(ca === null ? {} : { ca: [...ca] }),
      ...(signal === undefined ? {} : { signal }),
    } as const;
    // An abort shows as an error of its own; what it was aborted for says more.
    const fail = (error: Error) => reject(signal?.aborted ? signal.reason : error);
    begin(url, options, (response) => void readAnswer(response, maxAnswerBytes).then(resolve, fail))
      .on("error", fail)
      .end(body);
  });
}

async function readAnswer(response: IncomingMessage, maxBytes: number): Promise<OutboundAnswer> {
  const chunks: Uint8Array[] = [];
  let left = maxBytes;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk.subarray(0, left));
    left -= chunk.length;
    // Leaving the loop ends the connection: an endless answer costs no more than its limit.
    if (left < 0) break;
  }
  const body = Buffer.concat(chunks);
  return { status: response.statusCode ?? 0, headers: firstOf(response.headers), body, isCut: left < 0 };
}

function firstOf(headers: IncomingMessage["headers"]): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );
}
