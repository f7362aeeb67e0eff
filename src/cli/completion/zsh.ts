import { completing } from "./answer.ts";
import { officeSpellings, type Place } from "./choices.ts";
import { byLength, quoted, takesOf } from "./quoted.ts";

export function zshScript(places: readonly Place[]): string {
  const { two, one } = byLength(places);
  return `#compdef dlo
# dlo completion for zsh: eval "$(dlo completion zsh)", or a file _dlo in a folder of $fpath
_dlo() {
  local -a choices options given values abouts ends
  local word about skip kind takes operand previous=$words[CURRENT-1]
  integer named=2 most=0
  for word in "\${(@)words[2,CURRENT-1]}"; do
    if [[ -n $skip ]]; then skip=
    elif [[ -z $given && ' ${officeSpellings.join(" ")} ' == *" $word "* ]]; then skip=1
    elif [[ $word == -* ]]; then break
    else given+=("$word")
    fi
  done
  case "\${(j: :)given[1,2]}" in
${two.map(caseOf).join("\n")}
    *) named=1; case "$given[1]" in
${one.map(caseOf).join("\n")}
    esac ;;
  esac
  if [[ $PREFIX == --*=* ]]; then previous=\${PREFIX%%=*}; compset -P '*='; fi
  if [[ -n $previous && $takes == *" $previous="* ]]; then kind=\${\${takes#*" $previous="}%% *}
  elif [[ $PREFIX == -* ]]; then choices=("\${options[@]}")
  elif [[ -n $operand ]] && (( \${#given} - named < most )); then kind=$operand
  elif (( \${#choices} == 0 )); then choices=("\${options[@]}")
  fi
  case "$kind" in
    '') _describe 'dlo' choices ;;
    FILE) _files ;;
    -) ;;
    \\|*) compadd -- "\${(@s:|:)kind[2,-1]}" ;;
    *)
      while IFS=$'\\t' read -r word about; do
        values+=("$word") abouts+=("\${(r:COLUMNS-2:)\${:-$word  $about}}")
      done < <(command dlo ${completing} "$kind" "\${(@)words[2,CURRENT-1]}" "=\${(Q)PREFIX}" 2>/dev/null)
      [[ $values[1] == *[:.] ]] && ends=(-S '')
      (( \${#values} )) && compadd -l "\${ends[@]}" -d abouts -a values ;;
  esac
}
compdef _dlo dlo`;
}

function caseOf({ after, words, operand, options }: Place): string {
  const assigned = [
    ...(words.length === 0 ? [] : [`choices=(${told(words.map(({ word, about }) => [word, about]))})`]),
    ...(operand === null ? [] : [`operand=${quoted(operand.value)} most=${operand.most}`]),
    ...(options.length === 0
      ? []
      : [`options=(${told(options.flatMap(({ spellings: [long = ""], about }) => [[long, about]]))})`]),
    ...(options.length === 0 ? [] : [`takes=${quoted(takesOf(options))}`]),
  ];
  return `    ${quoted(after)}) ${assigned.join(" ")} ;;`;
}

function told(pairs: readonly (readonly [word: string, about: string])[]): string {
  return pairs.map(([word, about]) => quoted(`${word}:${about}`)).join(" ");
}
