import { completing } from "./answer.ts";
import { type Option, officeSpellings, type Place, type ValueWord } from "./choices.ts";
import { quoted } from "./quoted.ts";

export function fishScript(places: readonly Place[]): string {
  const twoWords = places.filter(({ after }) => after.includes(" ")).map(({ after }) => quoted(after));
  return `# dlo completion for fish: dlo completion fish | source
function __dlo_given
  set -l given
  set -l skip
  for word in (commandline -opc)[2..]
    if set -q skip[1]
      set skip
    else if not set -q given[1]; and contains -- $word ${officeSpellings.join(" ")}
      set skip 1
    else if string match -q -- '-*' $word
      break
    else
      set -a given $word
    end
  end
  printf '%s\\n' $given
end
function __dlo_after
  set -l given (__dlo_given)
  set -l wanted (string split ' ' -- "$argv")
  test "$argv" = "$given[1..2]"; or begin
    test (count $wanted) = 1; and test "$wanted[1]" = "$given[1]"; and test (count $given) -gt 0
    and not contains -- "$given[1..2]" ${twoWords.join(" ")}
  end
end
function __dlo_takes
  set -l given (__dlo_given)
  __dlo_after $argv[3..]; and test (math (count $given) - $argv[1]) -lt $argv[2]
end
function __dlo_values
  set -l typed (commandline -ct | string replace -r -- '^(--[^=]*=)?[\\'"]?' '')
  command dlo ${completing} $argv[1] (commandline -opc)[2..] "=$typed" 2>/dev/null
end
complete -c dlo -f
${places.flatMap(linesOf).join("\n")}`;
}

function linesOf({ after, words, operand, options }: Place): readonly string[] {
  const when = quoted(`__dlo_after ${after === "" ? "''" : after}`);
  return [
    ...words.map(({ word, about }) => `complete -c dlo -n ${when} -a ${quoted(word)} -d ${quoted(about)}`),
    ...(operand === null ? [] : operandLine(after, operand)),
    ...options.map((option) => optionLine(when, option)),
  ];
}

function operandLine(after: string, { value, most }: NonNullable<Place["operand"]>): readonly string[] {
  const when = quoted(`__dlo_takes ${after.split(" ").length} ${most} ${after}`);
  if (value === "FILE") return [`complete -c dlo -F -n ${when}`];
  return value === "-" ? [] : [`complete -c dlo -k -n ${when} -a ${offered(value)}`];
}

function optionLine(when: string, { spellings: [long = "", short], about, value }: Option): string {
  const spelled = [`-l ${long.slice(2)}`, ...(short === undefined ? [] : [`-s ${short.slice(1)}`])].join(" ");
  const taken = value === null ? "" : value === "FILE" ? " -r -F" : value === "-" ? " -x" : ` -x -a ${offered(value)}`;
  return `complete -c dlo -n ${when} ${spelled}${taken} -d ${quoted(about)}`;
}

function offered(value: ValueWord): string {
  return quoted(value.startsWith("|") ? value.slice(1).replaceAll("|", " ") : `(__dlo_values ${value})`);
}
