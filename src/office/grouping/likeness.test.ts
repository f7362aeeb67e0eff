import { describe, expect, it } from "vitest";
import { makeMessage } from "../../domain/message.ts";
import { defaultMasking } from "../../domain/redaction.ts";
import { comparedLetter } from "./compared-letter.ts";
import { inCommon } from "./likeness.ts";
import { commonInWords, commonSearch } from "./likeness-words.ts";

function letters(n: number, of: (at: number) => Readonly<Record<string, string>>) {
  return Array.from({ length: n }, (_, at) => new Map(Object.entries(of(at))));
}

const letter = {
  ...{ type: null, consumer: "shop", tenant: null, code: null, key: "o-1", drainedFrom: "orders.dlq" },
  ...{ routingKey: null, attempts: 5, failedAt: 0 },
};
const textValue = (value: string) => ({ type: "text", value }) as const;

describe("what letters have in common", () => {
  const group = letters(50, (at) => ({
    ...{ key: `o-${at}`, type: "OrderPlaced", tenant: at < 48 ? "acme" : "globex", region: at % 2 === 0 ? "eu" : "us" },
    host: "h-1",
  }));
  const others = letters(100, (at) => ({
    type: "OrderPlaced",
    tenant: at < 11 ? "acme" : `t-${at}`,
    host: `h-${at % 4}`,
    region: at % 2 === 0 ? "eu" : "us",
  }));
  const fields = inCommon(group, others);
  const said = fields.map((field) => `${field.field}: ${commonInWords(field)}`);

  it("begins with what tells them from others of their queue, then what all share, then where they differ", () => {
    expect(said).toEqual([
      "tenant: acme on 96 %, 11 % of the others in its queue",
      "host: h-1 on all, 25 % of the others in its queue",
      "type: OrderPlaced on all, 100 % of the others in its queue",
      "region: 2 different ones, most often eu on 50 %",
      "key: 50 different ones",
    ]);
    expect(fields.map(({ kind, isTelling }) => [kind, isTelling])).toEqual([
      ...[
        ["mostly", true],
        ["same", true],
        ["same", false],
        ["differs", false],
        ["differs", false],
      ],
    ]);
  });

  it("compares with nothing where the queue has no others", () => {
    const [field] = inCommon(
      letters(2, () => ({ tenant: "acme" })),
      [],
    );
    expect(field).toMatchObject({ kind: "same", isTelling: false, values: [{ elsewhere: null }] });
    expect(inCommon([], [])).toEqual([]);
  });

  it("takes what one letter has for no sign of anything, however rare it is elsewhere", () => {
    const told = (n: number) =>
      inCommon(
        letters(n, () => ({ key: "o-1" })),
        others,
      ).map((each) => each.isTelling);
    expect([told(1), told(4), told(5)]).toEqual([[false], [false], [true]]);
  });

  it("gives the search that finds them, with whatever is in a value", () => {
    expect(commonSearch("grp_1", "tenant", "acme")).toBe("group:grp_1 ctx.tenant:acme");
    expect(commonSearch("grp_1", "header.x-region", 'e"u')).toBe('group:grp_1 header.x-region:"e\\"u"');
    expect(commonSearch("grp_1", "host", "h-1")).toBe("group:grp_1 host:h-1");
    expect(commonSearch("grp_1", "instance", "h-1")).toBeNull();
    expect(commonSearch("grp_1", "version", "main")).toBeNull();
  });

  it("compares no header that is masked, that may be text nobody masked, or that only says how it failed", () => {
    const { headers } = makeMessage({
      headers: {
        ...{ "x-region": "eu", authorization: "Bearer abcdefghijkl", "x-mail": "ana@example.org", "x-death": "3" },
        "dlo-consumer": '{"service":"shop","version":"2.14.3","instance":"w1","host":"h-1","process":"42"}',
      },
    });
    const bytes = { name: "x-bytes", value: { type: "bytes", value: new Uint8Array([97]) } } as const;
    const compared = comparedLetter({ ...letter, headers: [...headers, bytes] }, defaultMasking);
    expect(Object.fromEntries(compared)).toEqual({
      ...{
        consumer: "shop",
        key: "o-1",
        "dead-letter queue": "orders.dlq",
        attempts: "5",
        version: "2.14.3",
        ...{ host: "h-1", process: "42", instance: "w1" },
      },
      "header.x-region": "eu",
    });
  });

  it("compares the first hundred headers of a letter, each by its last value, and who consumed it wherever that is said", () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ name: `x-${at}`, value: textValue(`v-${at}`) }));
    const twice = [{ name: "x-0", value: textValue("first") }, ...many];
    const consumer = { name: "dlo-consumer", value: textValue('{"version":"2.14.3"}') };
    const compared = comparedLetter({ ...letter, headers: [...twice, consumer] }, defaultMasking);
    const names = [...compared.keys()].filter((name) => name.startsWith("header."));
    expect([names.length, compared.get("header.x-0"), compared.get("version")]).toEqual([99, "v-0", "2.14.3"]);
  });
});
