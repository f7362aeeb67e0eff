import type { Place } from "./choices.ts";

export const shells = ["bash", "zsh", "fish"] as const;

export type Shell = (typeof shells)[number];

/** A script that makes a shell complete `dlo`. Nothing is run while somebody types, so it is there at once. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](places);
}

/** The longest words of the line that the table knows decide what comes next; after an option that takes a value, nothing does. */
function bashScript(places: readonly Place[]): string {
  const cases = places.map(({ after, words, options }) => {
    const all = [...words.map(({ word }) => word), ...options.map(({ spelling }) => spelling)].join(" ");
    return `    ${quoted(after)}) words=${quoted(all)} ;;`;
  });
  return `# dlo completion for bash: eval "$(dlo completion bash)"
_dlo() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} given=() word words=
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do [[ $word == -* ]] && break; given+=("$word"); done
  case "$previous" in
${valueCases(places)
  .map(
    ([spelling, values]) =>
      `    ${spelling}) COMPREPLY=($(compgen -W ${quoted(values.join(" "))} -- "$current")); return ;;`,
  )
  .join("\n")}
  esac
  case "\${given[*]:0:2}" in
${cases.join("\n")}
    *) case "\${given[0]}" in
${cases.filter((_, at) => at > 0).join("\n")}
    esac ;;
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _dlo dlo`;
}

function zshScript(places: readonly Place[]): string {
  const cases = places.map(({ after, words, options }) => {
    const told = [
      ...words.map(({ word, about }) => quoted(`${word}:${about}`)),
      ...options.map(({ spelling, about }) => quoted(`${spelling}:${about}`)),
    ];
    return `    ${quoted(after)}) choices=(${told.join(" ")}) ;;`;
  });
  return `#compdef dlo
# dlo completion for zsh: eval "$(dlo completion zsh)", or a file _dlo in a folder of $fpath
_dlo() {
  local -a choices given
  local word
  for word in "\${(@)words[2,CURRENT-1]}"; do [[ $word == -* ]] && break; given+=("$word"); done
  case "$words[CURRENT-1]" in
${valueCases(places)
  .map(([spelling, values]) => `    ${spelling}) compadd ${values.join(" ")}; return ;;`)
  .join("\n")}
  esac
  case "\${(j: :)given[1,2]}" in
${cases.join("\n")}
    *) case "$given[1]" in
${cases.filter((_, at) => at > 0).join("\n")}
    esac ;;
  esac
  (( \${#choices} )) && _describe 'dlo' choices || _files
}
compdef _dlo dlo`;
}

function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ after, words, options }) => {
    const when = quoted(`__dlo_after ${after === "" ? "''" : after}`);
    return [
      ...words.map(({ word, about }) => `complete -c dlo -f -n ${when} -a ${quoted(word)} -d ${quoted(about)}`),
      ...options.map(({ spelling, about, takesValue, values }) => {
        const value = values.length > 0 ? ` -x -a ${quoted(values.join(" "))}` : takesValue ? " -r" : "";
        return `complete -c dlo -n ${when} -l ${spelling.slice(2)}${value} -d ${quoted(about)}`;
      }),
    ];
  });
  return `# dlo completion for fish: dlo completion fish | source
function __dlo_after
  set -l given
  for word in (commandline -opc)[2..]
    string match -q -- '-*' $word; and break
    set -a given $word
  end
  set -l wanted (string split ' ' -- "$argv")
  test "$argv" = "$given[1..2]"; or begin
    test (count $wanted) = 1; and test "$wanted[1]" = "$given[1]"; and test (count $given) -gt 0
    and not contains -- "$given[1..2]" ${places
      .filter(({ after }) => after.includes(" "))
      .map(({ after }) => quoted(after))
      .join(" ")}
  end
end
${lines.join("\n")}`;
}

/** Options whose values are known, once each. */
function valueCases(places: readonly Place[]): readonly (readonly [string, readonly string[]])[] {
  const known = new Map<string, ReadonlySet<string>>();
  for (const { spelling, values } of places.flatMap(({ options }) => options)) {
    if (values.length > 0) known.set(spelling, new Set([...(known.get(spelling) ?? []), ...values]));
  }
  return [...known].map(([spelling, values]) => [spelling, [...values]]);
}

/** As all three shells read it back. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
