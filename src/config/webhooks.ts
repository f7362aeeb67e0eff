import type { Config } from "./config.ts";
import type { ReferenceOrigin } from "./reference.ts";

/** A webhook of the configuration. Address and secret are read when they are used, so that a rotated one is seen. */
export interface ConfiguredWebhook {
  readonly name: string;
  resolve(): Promise<{ readonly url: string; readonly secret: string | null }>;
}

export function webhooksOf(config: Config | null, origin: ReferenceOrigin): readonly ConfiguredWebhook[] {
  return (config?.notifiers ?? []).flatMap(({ kind, name, url, secret }) =>
    kind === "webhook"
      ? [
          {
            name,
            resolve: async () => ({
              url: await url.resolve(origin),
              secret: (await secret?.resolve(origin)) ?? null,
            }),
          },
        ]
      : [],
  );
}
