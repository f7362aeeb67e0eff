import { describe, expect, it } from "vitest";
import type { Ask } from "../../http/client.ts";
import { askingWithWholeIds } from "./whole-ids.ts";

const whole = "01JCQ8ZK4M6T8V0X2Z4B6D8F0H";

/** An office that completes every id alike, and remembers what it was asked. */
function office(address: string | null = "https://dlo.example/base") {
  const asked: [string, unknown][] = [];
  const ask = (async (name: string, input: { readonly id: string }) => {
    if (name === "ids.get") return { id: `${input.id.slice(0, 4)}${whole}` };
    asked.push([name, input]);
    return {};
  }) as Ask;
  return { ask: askingWithWholeIds(ask, address), asked };
}

describe("what is asked with parts of ids", () => {
  it("is asked with whole ones, wherever one is named", async () => {
    const { ask, asked } = office();
    await ask("letters.get", { id: "ltr_01JC" });
    await ask("letters.drop", { letters: ["ltr_01JC", `ltr_${whole}`], reason: "see ltr_01JC" });
    await ask("groups.merge", { id: "grp_01JC", into: "grp_01JD", reason: "one bug" });
    await ask("letters.list", { q: 'group:grp_01JC -id:ltr_01JC,ltr_01JD error:"rpl_01JC"' });
    expect(asked.map(([, input]) => input)).toEqual([
      { id: `ltr_${whole}` },
      { letters: [`ltr_${whole}`, `ltr_${whole}`], reason: "see ltr_01JC" },
      { id: `grp_${whole}`, into: `grp_${whole}`, reason: "one bug" },
      { q: `group:grp_${whole} -id:ltr_${whole},ltr_${whole} error:"rpl_01JC"` },
    ]);
  });

  it("is asked with the id in a page's address, if it is a page of the office that is asked", async () => {
    const { ask, asked } = office();
    await ask("letters.get", { id: `https://dlo.example/base/letters/ltr_${whole}/edit?x=1` });
    expect(asked).toEqual([["letters.get", { id: `ltr_${whole}` }]]);
    const refused = (id: string) => expect(ask("letters.get", { id })).rejects;
    await refused(`https://dlo.example/letters/ltr_${whole}`).toThrow("is a page of another office");
    await refused(`https://dlo.example.evil/base/letters/ltr_${whole}`).toThrow("is a page of another office");
    await refused(`https://ops.example/eu/letters/ltr_${whole}/edit`).toMatchObject({
      details: { hint: "Ask that one: --server https://ops.example/eu" },
    });
    await refused("https://dlo.example/base/letters").toThrow("is no page of a letter, group or replay");
  });

  it("is asked as it is where nothing is short, without asking twice", async () => {
    const { ask, asked } = office(null);
    await ask("replays.get", { id: `rpl_${whole}` });
    await ask("fixes.retract", { id: "fix_01JC" });
    await ask("letters.get", { id: `http://127.0.0.1:7717/letters/ltr_${whole}` });
    expect(asked.map(([, input]) => input)).toEqual([
      { id: `rpl_${whole}` },
      { id: "fix_01JC" },
      { id: `ltr_${whole}` },
    ]);
  });
});
