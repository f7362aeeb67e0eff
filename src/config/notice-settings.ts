import { pathPrefix } from "../domain/base-path.ts";
import type { Config } from "./config.ts";
import { queueRule } from "./queue-rule.ts";
import type { ReferenceOrigin } from "./reference.ts";
import { type ConfiguredNotifier, notifiersIn } from "./webhooks.ts";

/** What the configuration says of those who are told what happens. */
export interface NoticeSettings {
  /** How links begin, and what the office is called. */
  readonly office: { readonly url: string; readonly environment: string | null };
  readonly notifiers: readonly ConfiguredNotifier[];
  /** Whether one letter in that dead-letter queue is an alert. */
  isCritical(source: string, queue: string): boolean;
}

/** `listen`: where this process was told to listen instead; empty for where the configuration says. */
export function noticeSettings(config: Config | null, origin: ReferenceOrigin, listen = ""): NoticeSettings {
  const { publicUrl = null, basePath = "/", environment = null, listen: configured } = config?.office ?? {};
  const here = `http://${listen || (configured ?? "127.0.0.1:7717")}`;
  return {
    office: {
      url: `${publicUrl === null ? here : new URL(publicUrl).origin}${pathPrefix(basePath)}`,
      environment: environment?.name ?? null,
    },
    notifiers: notifiersIn(config, origin),
    isCritical(source, queue) {
      const found = config?.sources.find(({ name }) => name === source);
      return found !== undefined && queueRule(found, queue)?.critical === true;
    },
  };
}
