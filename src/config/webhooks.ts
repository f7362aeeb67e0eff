import type { Config } from "./config.ts";
import type { ReferenceOrigin } from "./reference.ts";

/** A webhook of the configuration. Address and secret are read when they are used, so that a rotated one is seen. */
export interface ConfiguredWebhook {
  readonly name: string;
  resolve(): Promise<{ readonly url: string; readonly secret: string | null }>;
}

/** Who is told of what happens, by what each wants to know. */
export interface ConfiguredNotifier extends ConfiguredWebhook {
  readonly kind: Config["notifiers"][number]["kind"];
  readonly when: Config["notifiers"][number]["when"];
}

export function notifiersIn(config: Config | null, origin: ReferenceOrigin): readonly ConfiguredNotifier[] {
  return (config?.notifiers ?? []).map(({ name, kind, when, url, secret }) => ({
    ...{ name, kind, when },
    resolve: async () => ({ url: await url.resolve(origin), secret: (await secret?.resolve(origin)) ?? null }),
  }));
}

export function webhooksOf(config: Config | null, origin: ReferenceOrigin): readonly ConfiguredWebhook[] {
  return notifiersIn(config, origin).filter(({ kind }) => kind === "webhook");
}
