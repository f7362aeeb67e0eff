import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { maskPayload } from "./mask-json.ts";
import { defaultMasking, mask, maskText } from "./redaction.ts";

describe("what looks like an address or a card and is none is shown", () => {
  it.each([
    // Versions.
    "orders@1.8.2",
    "orders@1.8.2#7f3a11",
    "orders@v2.14.3 failed",
    "billing@2024.11.15",
    "orders@1.8.2-rc.1 began at 14:04",
    "orders@1.8.2-rc.next",
    "orders@1.0.0-alpha.beta+build.5",
    "orders@5.3.0.RELEASE",
    "orders@1.2.3.Final",
    "orders@10.2.x",
    // Packages, and the paths they are installed at.
    "@scope/pkg@1.2.3",
    "pkg@1.2.3",
    "node_modules/.pnpm/express@4.18.2/node_modules/express/lib/router.js:1:2",
    "/app/.pnpm/react-dom@18.2.0_react@18.2.0/x",
    "https://cdn.example/npm/left-pad@1.3.0.tgz",
    "go/pkg/mod/github.com/x/y@v0.0.0-20191109021931-daa7c04131f5/z.go:10",
    "uses: actions/checkout@v4.1.1",
    // Queues, workers and nodes.
    "orders@eu-1",
    "celery@worker1",
    "celery@ip-10-0-1-12.ec2.internal",
    "celery@worker-1.prod.svc.cluster.local: lost",
    "rabbit@rabbit-0.rabbit-headless.default.svc.cluster.local",
    "orders@10.2.0.17",
    // Git.
    "git@github.com:org/repo",
    "git@github.com:org/repo.git#v1.2.3",
    "ssh://git@github.com/org/repo.git",
    "git+ssh://git@gitlab.example.com/org/repo",
    "git@github.com: Permission denied (publickey)",
    // Ids.
    "1f8a3c52-7d1e-4b6a-9c3d-0a1b2c3d4e5f",
    "41111111-1111-4111-8abc-abcdefabcdef",
    "order 41111111-1111-4111-8abc-abcdefabcdef was refused",
    "urn:uuid:41111111-1111-1111-8ABC-ABCDEFABCDEF",
    "order-0193b0a0-4111-7111-8111-11111111111a",
    "00-0af7651916cd43dd8448eb211c80319c-4111111111111111-01",
    "DE89370400440532013000ABCDEF0123",
    // Times and numbers.
    "since 1700000000008",
    "at 1731686400000013 µs",
    "order 4111111111111112 is a number",
  ])("shows %j", (text) => {
    expect(maskText(text)).toBe(text);
    expect(maskPayload(JSON.stringify({ text }), defaultMasking)).toBe(JSON.stringify({ text }));
  });
});

describe("what is an address or a card is masked", () => {
  it.each([
    ["ana@shop.example", mask],
    ["mailto:ana.b+c@mail.shop.example?subject=1", `mailto:${mask}?subject=1`],
    ["orders@shop.example", mask],
    ["git@shop.example", mask],
    ["git@shop.example: mailbox unavailable", `${mask}: mailbox unavailable`],
    ["celery@shop.example", mask],
    ["ana@corp.local", mask],
    ["ana@163.com", mask],
    ["ana@1.163.com", mask],
    ["ana@2.1.example.com", mask],
    ["ana@xn--mller-kva.xn--p1ai", mask],
    ["<ana@shop.example>, orders@1.8.2", `<${mask}>, orders@1.8.2`],
    ["orders@1.8.2@ana@shop.example", `orders@1.8.2@${mask}`],
    ["x@1.2@shop.example", `x@${mask}`],
    ["pkg@1.2.3,ana@shop.example", `pkg@1.2.3,${mask}`],
    ["git@github.com:ana@shop.example", `git@github.com:${mask}`],
    ["https://ana@shop.example/x", `https://${mask}/x`],
    // Cards, as people and programs write them.
    ["4111 1111 1111 1111", mask],
    ["4111-1111-1111-1111", mask],
    ["card 4111111111111111, 5555-5555-5555-4444.", `card ${mask}, ${mask}.`],
    ["3782 822463 10005", mask],
    ["3056 930902 5904", mask],
    ["4222222222222", mask],
    ["135412345678911", mask],
    ["paid with card-4111111111111111", `paid with card-${mask}`],
    // Beside other numbers.
    ["4111 1111 1111 1111 12/29 123", `${mask} 12/29 123`],
    ["order 17 4111 1111 1111 1111", `order 17 ${mask}`],
    ["7 4111-1111-1111-1111-12", `7 ${mask}-12`],
    ["2026-11-15 4111111111111111", `2026-11-15 ${mask}`],
    // Beside and within what looks like an id.
    ["1f8a3c52-7d1e-4b6a-9c3d-001234567890 4111 1111 1111 1111", `1f8a3c52-7d1e-4b6a-9c3d-001234567890 ${mask}`],
    ["4111-1111-1111-1111-1f8a3c52-7d1e-4b6a-9c3d-0a1b2c3d4e5f", `${mask}-1f8a3c52-7d1e-4b6a-9c3d-0a1b2c3d4e5f`],
    ["41111111-1111-1111-0000-00000000000a", `${mask}-0000-00000000000a`],
  ])("masks %j", (text, masked) => {
    expect(maskText(text)).toBe(masked);
    expect(maskPayload(JSON.stringify({ text }), defaultMasking)).toBe(JSON.stringify({ text: masked }));
  });

  it.each([
    ["4111111111111111", `"${mask}"`],
    ["[4111111111111111,1]", `["${mask}",1]`],
    ['{"n":5555555555554444.0}', `{"n":"${mask}"}`],
  ])("masks JSON's number in %s", (text, masked) => {
    expect(maskPayload(`{"a":${text}}`, defaultMasking)).toBe(`{"a":${masked}}`);
  });
});

/** Hex digits without end, the same in every run. */
function* hexDigits(seed: string): Generator<string> {
  for (let n = 0; ; n++) yield createHash("sha256").update(`${seed}/${n}`).digest("hex");
}

const crockford = "0123456789abcdefghjkmnpqrstvwxyz";

const idsOf = {
  "UUIDs by chance": (hex) =>
    `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${"89ab"[Number.parseInt(hex[16] ?? "", 16) % 4]}${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  "UUIDs by time": (hex) =>
    `0193${hex.slice(4, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`,
  "SHA-1": (hex) => hex.slice(0, 40),
  "SHA-256": (hex) => hex,
  "MD5, in capitals": (hex) => hex.slice(0, 32).toUpperCase(),
  ULIDs: (hex) =>
    `01J${Array.from({ length: 23 }, (_, at) => crockford[Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16) % 32])
      .join("")
      .toUpperCase()}`,
  traces: (hex) => `00-${hex.slice(0, 32)}-${hex.slice(32, 48)}-01`,
} satisfies Record<string, (hex: string) => string>;

describe("of ids by the hundred thousand none is taken for a card or an account", () => {
  it.each(Object.entries(idsOf))("%s", (kind, idOf) => {
    const wrong: string[] = [];
    let left = kind === "UUIDs by chance" ? 400_000 : 100_000;
    for (const hex of hexDigits("ids")) {
      const id = idOf(hex);
      if (maskText(id) !== id || (left % 8 === 0 && maskText(`message ${id}, again`) !== `message ${id}, again`))
        wrong.push(id);
      if (--left === 0) break;
    }
    expect(wrong).toEqual([]);
  });
});
