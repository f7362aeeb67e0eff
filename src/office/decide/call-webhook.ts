import { createHash, createHmac } from "node:crypto";
import type { Actor } from "../../domain/actor.ts";
import type { Clock } from "../../domain/clock.ts";
import { OfficeError } from "../../domain/errors.ts";

/** An address that is told of something, with the secret it knows us by. */
export interface Webhook {
  readonly name: string;
  readonly url: string;
  /** Null: it does not check who calls. */
  readonly secret: string | null;
}

/** What somebody outside is told. */
export type WebhookEvent = EscalatedEvent | NoticeEvent;

/** Something happened that somebody wants to know who is not looking. */
export interface NoticeEvent {
  /** As the audit log calls it. */
  readonly type: string;
  readonly text: string;
  /** Of the entry in the audit log. */
  readonly n: number;
  readonly occasion: string;
  readonly about: string;
  readonly environment: string | null;
  readonly url: string;
}

export interface EscalatedEvent {
  readonly type: "letters.escalated";
  readonly letters: readonly string[];
  readonly reason: string;
  readonly reference: string | null;
  readonly by: Actor["id"];
}

/** The one way out of the office. */
interface Outside {
  call(
    url: string,
    call: { readonly method: "POST"; readonly headers: Readonly<Record<string, string>>; readonly body: string },
  ): Promise<{ readonly status: number }>;
}

export interface WebhookParts {
  readonly clock: Clock;
  readonly outside: Outside;
}

export interface TellerParts extends WebhookParts {
  readonly hooks: readonly { readonly name: string; resolve(): Promise<Omit<Webhook, "name">> }[];
}

/** Tells webhooks by their name. */
export function teller({ hooks, ...parts }: TellerParts): (name: string, event: WebhookEvent) => Promise<void> {
  return async (name, event) => {
    const hook = hooks.find((each) => each.name === name);
    if (hook === undefined) {
      const text = `The configuration has no notifier \`${name}\` of kind webhook. Add it under \`notifiers\`.`;
      throw new OfficeError("NOTIFIER_NOT_FOUND", text, { details: { notifier: name } });
    }
    await callWebhook(parts, { name, ...(await hook.resolve()) }, event);
  };
}

/** Tells a webhook, signed. Resolves when it said yes; whatever else it says, or does not, is a refusal. */
export async function callWebhook({ clock, outside }: WebhookParts, hook: Webhook, event: WebhookEvent): Promise<void> {
  const now = clock.now();
  const { type, ...data } = event;
  const body = JSON.stringify({ type, timestamp: new Date(now).toISOString(), data });
  const headers = { "content-type": "application/json", ...signatureOf(hook, { id: idOf(hook, event), now, body }) };
  const answer = await outside.call(hook.url, { method: "POST", headers, body }).catch((error: unknown) => {
    throw refused(hook.name, error instanceof Error ? error.message : String(error), { cause: error });
  });
  const { status } = answer;
  if (status < 200 || status > 299) throw refused(hook.name, `It answered ${status}.`, { status });
}

/** The same for the same thing said again, so that whoever is called twice after a crash opens one ticket. */
function idOf({ name }: Webhook, event: WebhookEvent): string {
  const digest = createHash("sha256").update(JSON.stringify([name, event]));
  return `msg_${digest.digest("hex").slice(0, 32)}`;
}

interface Signed {
  readonly id: string;
  readonly now: number;
  readonly body: string;
}

/** As the Standard Webhooks specification has it: over id, time and body, so that none of them can be swapped. */
function signatureOf({ secret }: Webhook, { id, now, body }: Signed): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000));
  const named = { "webhook-id": id, "webhook-timestamp": timestamp };
  if (secret === null) return named;
  const mac = createHmac("sha256", keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest("base64");
  return { ...named, "webhook-signature": `v1,${mac}` };
}

function keyOf(secret: string): Buffer {
  return secret.startsWith("whsec_") ? Buffer.from(secret.slice("whsec_".length), "base64") : Buffer.from(secret);
}

function refused(
  name: string,
  why: string,
  { status = null, cause }: { readonly status?: number | null; readonly cause?: unknown },
): OfficeError {
  return new OfficeError("WEBHOOK_FAILED", `The webhook ${name} was not told, so nothing was changed: ${why}`, {
    details: { webhook: name, status },
    cause,
  });
}
