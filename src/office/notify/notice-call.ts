import type { Notice, NoticeStep, Occasion } from "./notice-of.ts";

export interface NoticeOffice {
  /** Where people open it, without a slash at the end. */
  readonly url: string;
  /** Such as `production`; null where nothing says so. */
  readonly environment: string | null;
}

/** The body of a message to a chat that takes incoming webhooks, such as Slack's. */
export function chatBody(notice: Notice, office: NoticeOffice): string {
  const text = `${headlineOf(notice, office)}\n${office.url}${notice.path}`;
  return JSON.stringify({ text: text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;") });
}

const severities: Readonly<Record<Occasion, string>> = {
  alert: "critical",
  halted: "error",
  returned: "warning",
  approval: "info",
  token: "info",
};

const actions: Readonly<Record<NoticeStep, string>> = { begins: "trigger", taken: "acknowledge", over: "resolve" };

/** An event of PagerDuty's Events API v2. What is said of one thing again falls into the same incident. */
export function pagerBody(notice: Notice, office: NoticeOffice, routingKey: string): string {
  const { occasion, type, about, at, path, step = "begins" } = notice;
  return JSON.stringify({
    routing_key: routingKey,
    event_action: actions[step],
    dedup_key: `dlo:${office.environment ?? ""}:${occasion}:${about}`.slice(0, 255),
    client: "dlo",
    client_url: `${office.url}${path}`,
    payload: {
      ...{ summary: headlineOf(notice, office), severity: severities[occasion], timestamp: at },
      ...{ source: about, class: type },
    },
    links: [{ href: `${office.url}${path}`, text: "Open it" }],
  });
}

export function headlineOf({ text }: Notice, { environment }: NoticeOffice): string {
  return environment === null ? text : `${environment} · ${text}`;
}
