import { type FailureEvidence, noEvidence } from "../../src/domain/classification.ts";
import { seededRandom } from "../../src/simulate/random.ts";

/** Reads a list of causes; each line is one. */
export function readCauses(text: string): readonly string[][] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.split("¦").map((part) => part.trim()));
}

/** `count` letters of one cause, each with ids, numbers, addresses and places of its own. */
export function lettersOfCause(
  [name, code, message, stack]: readonly string[],
  count: number,
  seed: string,
): FailureEvidence[] {
  const random = seededRandom(seed);
  const fill = (text: string) =>
    text.replaceAll(/\{(\w+)\}/g, (whole, kind: string) => makers[kind]?.(random) ?? whole);
  return Array.from({ length: count }, () => ({
    ...noEvidence,
    errorClass: name ?? null,
    code: code === "" ? null : (code ?? null),
    message: fill((message ?? "").replaceAll("\\n", "\n")),
    stack: stack === undefined || stack === "" ? [] : stack.split(";;").map((frame) => fill(frame.trim())),
  }));
}

type Random = () => number;

const upTo = (most: number) => (random: Random) => Math.floor(random() * most);
const from =
  (list: readonly string[]) =>
  (random: Random): string =>
    list[upTo(list.length)(random)] ?? "";
const some =
  (signs: string, least: number, most = least) =>
  (random: Random): string =>
    Array.from({ length: least + upTo(most - least + 1)(random) }, () => signs.charAt(upTo(signs.length)(random))).join(
      "",
    );

const digits = "0123456789";
const hexadecimal = "0123456789abcdef";
const base62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const words = ["acme", "globex", "initech", "umbrella", "hooli", "vandelay", "stark", "wonka", "tyrell", "soylent"];
const months = ["January", "March", "May", "August", "October", "December"];
const two = (value: number) => String(value).padStart(2, "0");

const uuid = (random: Random) => [8, 4, 4, 4, 12].map((length) => some(hexadecimal, length)(random)).join("-");
const iso = (random: Random) =>
  `20${two(10 + upTo(20)(random))}-${two(1 + upTo(12)(random))}-${two(1 + upTo(28)(random))}T${two(upTo(24)(random))}:${two(upTo(60)(random))}:${two(upTo(60)(random))}.${some(digits, 3)(random)}Z`;
const email = (random: Random) =>
  `${from(words)(random)}.${some("abcdefghij", 3, 8)(random)}@${from(words)(random)}.example`;
const ip = (random: Random) => Array.from({ length: 4 }, () => upTo(256)(random)).join(".");
const host = (random: Random) =>
  `${from(["worker", "consumer", "orders"])(random)}-${some(hexadecimal, 4, 10)(random)}-${some(`${digits}abcdef`, 5)(random)}`;
const url = (random: Random) =>
  `https://${from(words)(random)}.example/${from(words)(random)}/${some(base62, 4, 22)(random)}?page=${upTo(99)(random)}`;
const money = (random: Random) =>
  from([
    `EUR ${upTo(9_999)(random)}.${some(digits, 2)(random)}`,
    `$${upTo(9_999)(random)}.50`,
    `${upTo(99)(random)},${some(digits, 2)(random)} €`,
    `${upTo(99_999)(random)} USD`,
  ])(random);
const date = (random: Random) =>
  from([
    iso(random).slice(0, 10),
    `${1 + upTo(28)(random)} ${from(months)(random)} 2026`,
    `${two(1 + upTo(28)(random))}.0${1 + upTo(9)(random)}.2026`,
    `${from(months)(random)} ${1 + upTo(28)(random)}, 2026`,
  ])(random);

/** What stands in braces, by name. */
const makers: Readonly<Record<string, (random: Random) => string>> = {
  int: (random) => String(upTo(10 ** (1 + upTo(9)(random)))(random)),
  digit: (random) => some(digits, 1)(random),
  line: (random) => String(1 + upTo(900)(random)),
  port: (random) => String(1_024 + upTo(60_000)(random)),
  char: (random) => some("hxyzqw<", 1)(random),
  word: (random) => from(words)(random),
  uuid,
  ulid: (random) => `01${some("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 24)(random)}`,
  hex: (random) => some(hexadecimal, 6, 40)(random),
  reqid: (random) => `req_${some(base62, 14)(random)}`,
  invoice: (random) =>
    from([`INV-2026-${some(digits, 5)(random)}`, `R${some(digits, 7)(random)}`, `${some(digits, 4)(random)}/26`])(
      random,
    ),
  email,
  ip,
  host,
  url,
  money,
  date,
  month: (random) => `2026-${two(1 + upTo(12)(random))}`,
  iso,
  duration: (random) =>
    from([
      `${upTo(900)(random)}ms`,
      `${upTo(90)(random)}.${upTo(9)(random)}s`,
      `${upTo(90)(random)} seconds`,
      `${upTo(9)(random)} minutes`,
    ])(random),
  iban: (random) =>
    from([
      `DE${some(digits, 20)(random)}`,
      `DE${some(digits, 2)(random)} ${some(digits, 4)(random)} ${some(digits, 4)(random)} ${some(digits, 4)(random)} ${some(digits, 2)(random)}`,
      `GB${some(digits, 2)(random)}NWBK${some(digits, 14)(random)}`,
    ])(random),
  phone: (random) => `+49${some(digits, 3, 11)(random)}`,
  quoted: (random) =>
    `"${from([...words, url(random), email(random), uuid(random), "31/12/2026", "n/a", some(base62, 12)(random)])(random)}"`,
  path: (random) =>
    from(["/app", "/srv/shop-1.42.0", "/usr/src/app", `/var/task/${some(hexadecimal, 8)(random)}`])(random),
  winpath: (random) => from(["C:\\build\\shop", `D:\\a\\${upTo(9)(random)}\\s`, "/src/shop"])(random),
};
