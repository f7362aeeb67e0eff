import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** What the client asked, as it was on the wire. */
export interface Asked {
  readonly action: string;
  readonly input: Record<string, unknown> & { readonly Entries?: readonly Entry[]; readonly QueueName?: string };
}

export interface Entry {
  readonly Id: string;
  readonly MessageBody?: string;
  readonly MessageDeduplicationId?: string;
  readonly MessageGroupId?: string;
  readonly MessageAttributes?: Readonly<Record<string, unknown>>;
  readonly VisibilityTimeout?: number;
  readonly DelaySeconds?: number;
}

/** An answer; null cuts the line instead, and nobody knows what was done. */
export type Answer = (input: Asked["input"], count: number) => object | null;

/**
 * Speaks SQS and keeps nothing: it says what a test wants to hear, for what no server at hand can be brought to say.
 * All that is not scripted goes well, and there are no messages.
 */
export async function scriptedSqs(script: Readonly<Record<string, Answer>>) {
  const asked: Asked[] = [];
  const reply = async (request: IncomingMessage, response: ServerResponse) => {
    const one = await askedIn(request);
    asked.push(one);
    const count = asked.filter(({ action }) => action === one.action).length;
    const answer = (script[one.action] ?? goesWell)(one.input, count);
    if (answer === null) request.socket.destroy();
    else response.setHeader("content-type", "application/x-amz-json-1.0").end(JSON.stringify(answer));
  };
  const server = createServer((request, response) => void reply(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const entries = (action: string) =>
    asked.filter((one) => one.action === action).flatMap(({ input }) => input.Entries ?? []);
  return { endpoint, asked, entries };
}

async function askedIn(request: IncomingMessage): Promise<Asked> {
  const action = String(request.headers["x-amz-target"]).replace("AmazonSQS.", "");
  return { action, input: JSON.parse(await text(request)) as Asked["input"] };
}

export function goesWell({ QueueName, Entries = [] }: Asked["input"]): object {
  if (QueueName !== undefined) return { QueueUrl: `http://127.0.0.1/1/${QueueName}` };
  const Successful = Entries.map(({ Id, MessageBody = "" }) => ({ Id, MD5OfMessageBody: md5(MessageBody) }));
  return { Successful, Failed: [] };
}

/** The client compares it. */
export function md5(body: string): string {
  return createHash("md5").update(body).digest("hex");
}

/** A batch of which nothing was done, and why. */
export function refused({ Entries = [] }: Asked["input"], Code: string, Message: string): object {
  return { Successful: [], Failed: Entries.map(({ Id }) => ({ Id, Code, Message, SenderFault: true })) };
}
