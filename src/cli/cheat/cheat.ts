import { nearestName } from "../../domain/options.ts";
import { command } from "../command.ts";
import { exit } from "../exit-codes.ts";
import { UsageError } from "../failure.ts";
import { layOut } from "../help-layout.ts";
import { cheats } from "./cheats.ts";

const topicNames = Object.keys(cheats);

export const cheatCommand = command({
  name: "cheat",
  summary: "the lines you are most likely to need, to copy",
  examples: [
    { line: "dlo cheat", about: "all of them" },
    { line: "dlo cheat paged", about: "something woke you up" },
  ],
  operand: { placeholder: "TOPIC", of: topicNames, about: `${topicNames.join(", ")}; else all`, required: false },
  flags: {},

  async run({ operand, json }, { print, terminal }) {
    const topics = Object.entries(cheats).filter(([name]) => operand === null || name === operand);
    if (topics.length === 0) throw unknownTopic(operand ?? "");
    if (json) print(JSON.stringify({ items: topics.map(([topic, { about, lines }]) => ({ topic, about, lines })) }));
    else {
      const sections = topics.map(([topic, { about, lines }]) => ({ title: `${topic}: ${about}`, examples: lines }));
      print(layOut({ heading: "Lines to copy", sections }, terminal));
    }
    return exit.done;
  },
});

function unknownTopic(name: string): UsageError {
  const nearest = nearestName(name, topicNames);
  const hint = nearest === undefined ? `There are ${topicNames.join(", ")}.` : `Did you mean \`dlo cheat ${nearest}\`?`;
  return new UsageError("unexpected_value", `There is no topic \`${name}\`.`, hint);
}
