import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addSource, type NewSource } from "./add-source.ts";
import { parseConfig } from "./config-file.ts";

const source: NewSource = { name: "new", broker: "rabbitmq", url: "${RABBIT_URL}" };
const asYaml = "- name: new\n  broker: rabbitmq\n  url: ${RABBIT_URL}";

describe("adding a source", () => {
  it("moves nothing else in the file by a byte", () => {
    const before = `# the office of payments
version:   1

sources:
    # ours
    - name:  a   # since 2021
      broker: kafka
      url:    'kafka://h'     # three of them

    - {name: b,   broker: kafka, url: x}  # last

# masks
masking: {paths: [ body.a,header.b ]}
`;
    const after = addSource(before, source);
    const inserted = `${asYaml.replaceAll(/^/gm, "    ")}\n`;
    expect(after).toBe(before.replace("# last\n", `# last\n${inserted}`));
  });

  it.each([
    ["an empty file", "", `version: 1\n\nsources:\n${asYaml.replaceAll(/^/gm, "  ")}\n`],
    ["no sources yet", "version: 1 # one\n", `version: 1 # one\n\nsources:\n${asYaml.replaceAll(/^/gm, "  ")}\n`],
    [
      "an empty list",
      "version: 1 # one\nsources: [] # none\n",
      `version: 1 # one\nsources:\n${asYaml.replaceAll(/^/gm, "  ")}\n  # none\n`,
    ],
    [
      "no line break at the end",
      "version: 1\nsources:\n- {name: a, broker: nats, url: x}",
      `version: 1\nsources:\n- {name: a, broker: nats, url: x}\n${asYaml}\n`,
    ],
    [
      "line breaks of another system",
      "version: 1\r\nsources:\r\n- {name: a, broker: nats, url: x}\r\n",
      `version: 1\r\nsources:\r\n- {name: a, broker: nats, url: x}\r\n${asYaml.replaceAll("\n", "\r\n")}\r\n`,
    ],
  ])("copes with %s", (_about, before, after) => {
    expect(addSource(before, source)).toBe(after);
  });

  it("keeps JSON what it is", () => {
    const after = addSource('{"version":1}', source, "dlo.config.json");
    expect(JSON.parse(after)).toEqual({ version: 1, sources: [source] });
  });

  it.each([
    ["a file that is wrong already", "version: 3", /must be 1/],
    [
      "a name that is there",
      "version: 1\nsources: [{ name: new, broker: nats, url: x }]",
      /already\. Change it in that file/,
    ],
  ])("refuses %s", (_about, before, message) => {
    expect(() => addSource(before, source)).toThrow(message);
  });

  it("adds what was asked for after whatever was there", () => {
    const text = fc.string({ minLength: 1 }).filter((each) => each.trim() !== "");
    const sources = fc.uniqueArray(fc.record({ broker: fc.constant("nats" as const), url: text, owner: text }), {
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(sources, (all) => {
        const file = all.reduce((before, each, index) => addSource(before, { name: `s${index}`, ...each }), "");
        expect(parseConfig(file).sources.map(({ owner }) => owner)).toEqual(all.map(({ owner }) => owner));
      }),
    );
  });
});
