import { OfficeError } from "../../domain/errors.ts";
import { callWebhook, type WebhookParts } from "../decide/call-webhook.ts";
import { chatBody, headlineOf, type NoticeOffice, pagerBody } from "./notice-call.ts";
import type { Notice, NoticeRules, Occasion } from "./notice-of.ts";
import type { StandingNoticesParts, StandingNotifier } from "./standing-notices.ts";

/** A notifier of the configuration; its address and secret are read when they are used. */
export interface ConfiguredNotifier {
  readonly name: string;
  readonly kind: "slack" | "pagerduty" | "webhook";
  readonly when: readonly Occasion[];
  resolve(): Promise<{ readonly url: string; readonly secret: string | null }>;
}

export interface NotifierParts extends WebhookParts {
  readonly office: NoticeOffice;
}

type Tell = (parts: NotifierParts, notifier: ConfiguredNotifier, notice: Notice) => Promise<void>;

const tellers: Readonly<Record<ConfiguredNotifier["kind"], Tell>> = {
  async webhook(parts, notifier, notice) {
    const { office } = parts;
    const hook = { name: notifier.name, ...(await notifier.resolve()) };
    const { type, n, about, path, occasion, step = "begins" } = notice;
    const said = { n, about, occasion, step, environment: office.environment, url: `${office.url}${path}` };
    await callWebhook(parts, hook, { type, text: headlineOf(notice, office), ...said });
  },
  async slack(parts, notifier, notice) {
    const { url } = await notifier.resolve();
    await post(parts, notifier.name, url, chatBody(notice, parts.office));
  },
  async pagerduty(parts, notifier, notice) {
    const { url, secret } = await notifier.resolve();
    if (secret === null) throw failed(notifier.name, "its `secret`, the routing key, is missing in the configuration");
    await post(parts, notifier.name, url, pagerBody(notice, parts.office, secret));
  },
};

/** What the configuration says of those who are told. */
export interface NoticeConfig extends NoticeRules {
  readonly office: NoticeOffice;
  readonly notifiers: readonly ConfiguredNotifier[];
}

/** All that telling takes. */
export function noticesOf(
  config: NoticeConfig,
  { ledger, ...parts }: WebhookParts & Pick<StandingNoticesParts, "ledger">,
): StandingNoticesParts {
  const notifiers = notifiersOf({ ...parts, office: config.office }, config.notifiers);
  return { ledger, clock: parts.clock, notifiers, rules: config };
}

/** Each as it is told. */
export function notifiersOf(
  parts: NotifierParts,
  configured: readonly ConfiguredNotifier[],
): readonly StandingNotifier[] {
  return configured.map((notifier) => ({
    ...{ name: notifier.name, when: notifier.when },
    tell: (notice) => tellers[notifier.kind](parts, notifier, notice),
  }));
}

async function post({ outside }: NotifierParts, name: string, url: string, body: string): Promise<void> {
  const headers = { "content-type": "application/json" };
  const { status } = await outside.call(url, { method: "POST", headers, body }).catch((error: unknown) => {
    throw failed(name, error instanceof Error ? error.message : String(error));
  });
  if (status < 200 || status > 299) throw failed(name, `it answered ${status}`, status);
}

function failed(name: string, why: string, status: number | null = null): OfficeError {
  return new OfficeError("WEBHOOK_FAILED", `The notifier ${name} was not told: ${why}.`, {
    details: { notifier: name, status },
  });
}
