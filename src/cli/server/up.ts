import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { OpenedOffice } from "../../compose.ts";
import { duties } from "../../domain/duty.ts";
import { parseListen } from "../../http/public-address.ts";
import type { ServingOffice } from "../../http/serve.ts";
import type { ServingMetrics } from "../../http/serve-metrics.ts";
import { type Context, command } from "../command.ts";
import { dataFolder } from "../connection/user-files.ts";
import { exit } from "../exit-codes.ts";
import { choicesFlag, optional, textFlag } from "../flags.ts";
import { ledgerFlags, officeAt } from "../ledger/ledger-flags.ts";
import { stopSignal } from "../stop-signal.ts";
import { visible } from "../terminal/text.ts";
import { serveOffice } from "./serve-office.ts";
import { tellTroubles } from "./tell-troubles.ts";

const dutiesFlag = choicesFlag({ about: "what this process does; the others do the rest", of: duties });

export const upCommand = command({
  name: "up",
  summary: "runs the office: web UI, HTTP API, drains, and replays",
  examples: [
    { line: "dlo up", about: "at http://127.0.0.1:7717, with the ledger in your data folder" },
    { line: "dlo up --database postgres://localhost/dlo", about: "on PostgreSQL; any number of processes may" },
    { line: "dlo up --listen 127.0.0.1:8080 --only http", about: "elsewhere, and only looking" },
    { line: "dlo up --only intake,replay", about: "the work without the pages: another process has those" },
  ],
  details: [
    "On its first run it shows a code, once, with which the first admin is made; where there is no terminal, the code is " +
      "in the file first-run of the data folder. It holds for an hour.",
    "Queues with `mode: drain` in dlo.config.yaml are drained for as long as it runs, and what consumers report is read. " +
      "Replays that are started, from wherever, are led by one of the processes that run; when it is gone another goes on.",
    "Ctrl-C answers what is under way, commits or gives back what is in hand, hands over its replays, and ends. Killed, it " +
      "loses nothing: whoever starts next goes on.",
  ],
  flags: {
    database: ledgerFlags.database,
    config: ledgerFlags.config,
    listen: textFlag({ placeholder: "ADDRESS:PORT", about: "where; else the configuration's, else 127.0.0.1:7717" }),
    "metrics-listen": textFlag({
      placeholder: "ADDRESS:PORT",
      about: "/metrics and /healthz for a monitor that cannot sign in; else none",
    }),
    only: optional(dutiesFlag, "all of them"),
  },

  async run({ json, only, "metrics-listen": metricsListen, listen, ...values }, context) {
    const signal = stopSignal(context.signal);
    const office = await officeAt({ ...values, listen }, context);
    const does = only ?? duties;
    const open: { close(): Promise<void> }[] = [];
    try {
      if (metricsListen !== "") open.push(await openMetrics(office, metricsListen));
      // An office that may not open its doors must not have begun to send.
      if (does.includes("http")) open.push((await openDoors(office, { listen, json }, context)).serving);
      else context.note(`This process does ${does.join(" and ")}; it has no pages.`);
      await office.startWork(does);
      context.note(`Ledger: ${office.place}${office.isEmbedded ? ", embedded" : ""}. Ctrl-C ends it.`);
      const ending = AbortSignal.any([signal, office.over]);
      await tellTroubles({ look: office.work, note: context.note, clock: context.clock, signal: ending });
      if (office.over.aborted) throw office.over.reason;
      context.note("Ending: answering what is under way, and giving back what is in hand.");
      return exit.done;
    } finally {
      for (const each of open.reverse()) await each.close();
      await office.close();
    }
  },
});

/** Opens the port, says where, and shows the way to the first admin where there is none. */
export async function openDoors(
  office: OpenedOffice,
  { listen, json }: { readonly listen: string; readonly json: boolean },
  context: Context,
): Promise<{ readonly serving: ServingOffice; readonly setup: string | null }> {
  // Whoever the configuration no longer names must not find an open door.
  for (const held of await office.people.refresh()) context.note(`Warning: ${visible(held)}`);
  const serving = await serveOffice(office, { listen, demo: null }, context);
  office.announce(serving.url);
  if (json) context.print(JSON.stringify({ url: serving.url, ledger: office.place }));
  else context.print(`The office is at ${serving.url}`);
  if (!serving.hasPages) context.note("The web UI is not built here, so there is only the API: npm run build.");
  const setup = await introduce(office, serving, { ...context, shows: context.terminal.interactive && !json });
  return { serving, setup };
}

async function openMetrics(office: OpenedOffice, listen: string): Promise<ServingMetrics> {
  const { serveMetrics } = await import("../../http/serve-metrics.ts");
  const { metricsText } = await import("../../http/metrics.ts");
  return serveMetrics(parseListen(listen), async () => metricsText(await office.figures()));
}

/**
 * The code of the first run: to the terminal that started it, else to a file that only its owner can read. Never to a log.
 * Gives where it is, in words; null where there is an admin.
 */
async function introduce(
  { reception }: OpenedOffice,
  { url }: ServingOffice,
  { env, print, note, shows }: Context & { readonly shows: boolean },
): Promise<string | null> {
  const file = join(dataFolder(env), "first-run");
  const code = await reception.firstRun();
  if (code === null) {
    if (!(await reception.hasAdmin())) return "where it was shown before; it holds for an hour";
    await rm(file, { force: true });
    return null;
  }
  const way = `${url}setup#${code}`;
  if (shows) {
    print(`\nNobody is admin yet. Make yourself one, within the hour:\n\n  ${way}\n`);
    return "in the terminal this runs in";
  }
  await mkdir(dataFolder(env), { recursive: true, mode: 0o700 });
  // Whole or not there: somebody may be waiting for it.
  await rm(`${file}.new`, { force: true });
  await writeFile(`${file}.new`, `${way}\n`, { mode: 0o600, flag: "wx" });
  await rename(`${file}.new`, file);
  note(`Nobody is admin yet. The way to make yourself one is in ${file}, for an hour.`);
  return `in the file ${file}`;
}
