import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { table } from "../terminal/table.ts";
import { visible } from "../terminal/text.ts";
import { configFlag, requireConfig } from "./source-flags.ts";

export const sourcesListCommand = command({
  name: "sources list",
  summary: "the brokers that the configuration names",
  examples: [{ line: "dlo sources", about: "all of them; list is what is done where nothing else is said" }],
  details: ["Addresses are shown as they stand in the file, without passwords. Nothing is connected to."],
  flags: configFlag,

  async run({ config, json }, context) {
    const { print, note, terminal } = context;
    const file = await requireConfig(config, context);
    const sources = file.config.sources.map(({ name, broker, owner, url, management, queues }) => ({
      name,
      broker,
      owner,
      url: url.shown,
      management: management?.shown ?? null,
      queues,
    }));
    if (json) print(JSON.stringify({ items: sources, next: null }));
    else if (sources.length > 0) {
      const rows = sources.map(({ name, broker, owner, url, queues }) =>
        [name, broker, owner ?? "-", queues.map(({ match, mode }) => `${match} (${mode})`).join(", ") || "-", url].map(
          visible,
        ),
      );
      const titles = ["SOURCE", "BROKER", "OWNER", "QUEUES", "URL"];
      print(
        table(
          titles.map((title) => ({ title, align: "left" })),
          rows,
          terminal,
        ),
      );
    }
    note(`${sources.length} in ${file.path}`);
    return exit.done;
  },
});
