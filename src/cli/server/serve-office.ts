import type { OpenedOffice } from "../../compose.ts";
import { parseListen } from "../../http/public-address.ts";
import type { ServeOptions, ServingOffice } from "../../http/serve.ts";
import { systemHost } from "../../system/host.ts";
import type { Context } from "../command.ts";
import { failureText } from "./failure-text.ts";

export interface Serving extends Pick<ServeOptions, "demo"> {
  /** Where; empty for the configuration's, else 127.0.0.1:7717. */
  readonly listen: string;
}

/** Opens the port of an office, as its configuration says. */
export async function serveOffice(
  office: OpenedOffice,
  { listen, demo }: Serving,
  context: Context,
): Promise<ServingOffice> {
  const settings = office.config?.office;
  const { serve } = await import("../../http/serve.ts");
  return serve({
    call: office.call,
    reception: office.reception,
    issuer: office.issuer,
    signIns: office.signIns,
    once: office.once,
    feed: office.feed,
    demo,
    environment: settings?.environment ?? null,
    listen: parseListen(listen || settings?.listen || "127.0.0.1:7717"),
    publicUrl: settings?.publicUrl ?? null,
    basePath: settings?.basePath ?? "/",
    trustedProxies: settings?.trustedProxies ?? [],
    version: context.version,
    readiness: async () => ((await office.isAnswering()) ? "ready" : "ledger"),
    clock: context.clock,
    newId: systemHost.newId,
    onFailure: (failure) => context.note(failureText(failure)),
  });
}
