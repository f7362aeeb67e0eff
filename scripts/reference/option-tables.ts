import { type DeclaredOption, declaredOptions } from "./declared-options.ts";
import { code, table } from "./markdown-table.ts";
import { type OptionSection, optionSections } from "./option-sections.ts";
import { readTypeComments } from "./type-comments.ts";

/** Units as the names of options end. */
const units: readonly (readonly [ending: RegExp, unit: string])[] = [
  [/Ms$/, "ms"],
  [/Bytes$/, "bytes"],
  [/PerSecond$/, "per second"],
];

/** All options of all factories, as tables under headings. */
export function optionTables(): string {
  const typeComments = readTypeComments();
  return optionSections.map((section) => sectionText(section, typeComments)).join("\n\n");
}

/** The options of a section but the one that tells variants apart, which its heading names. */
export function optionsOf({ declared }: OptionSection): DeclaredOption[] {
  const all = declared.flatMap(({ path, type }) => declaredOptions(path, type));
  return all.filter(({ isRequired, type }) => !(isRequired && /^"[^"]*"$/.test(type)));
}

function sectionText(section: OptionSection, typeComments: ReadonlyMap<string, string>): string {
  const { title, about } = section;
  const rows = optionsOf(section).map((option) => [
    `${code(option.name)}<br>${code(option.type)}`,
    option.about || aboutType(option.type, typeComments),
    unitOf(option.name),
    defaultText(option),
  ]);
  return `## ${title}\n\n${about}\n\n${table(["option", "what", "unit", "default"], rows)}`;
}

/** Where an option says nothing of its own, what its type says is what there is to say. */
function aboutType(type: string, typeComments: ReadonlyMap<string, string>): string {
  const named = type.match(/[A-Z]\w+/g)?.find((name) => typeComments.has(name));
  return typeComments.get(named ?? "") ?? "";
}

function unitOf(name: string): string {
  return units.find(([ending]) => ending.test(name))?.[1] ?? "";
}

function defaultText(option: DeclaredOption): string {
  if (option.isRequired) return "required";
  if (option.default !== undefined) return isLiteral(option.default) ? code(option.default) : option.default;
  const nested = optionSections.find((section) => new RegExp(`\\b${section.title}\\b`).test(option.type));
  return nested === undefined ? "none" : `see [${nested.title}](#${nested.title.toLowerCase()})`;
}

/** A value of the language, as opposed to words about one. */
function isLiteral(text: string): boolean {
  return /^(-?[\d_.]+|"[^"]*"|true|false|null|\[.*\])$/.test(text);
}
