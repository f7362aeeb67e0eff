import { completing } from "./answer.ts";
import { officeSpellings, type Place } from "./choices.ts";
import { byLength, quoted, takesOf } from "./quoted.ts";

/** Works in the bash of 2007 that macOS still has. Names that came from an office are never expanded, which `compgen -W` would do. */
export function bashScript(places: readonly Place[]): string {
  const { two, one } = byLength(places);
  return `# dlo completion for bash: eval "$(dlo completion bash)"
_dlo() {
  local current previous word about wide skip= quote= cut= kind= named=2 words= options= takes= operand= most=0
  local line=() given=() abouts=() at rest=\${COMP_LINE:0:COMP_POINT} trimmed
  COMPREPLY=()
  # Bash cuts words at : and = too, and replaces only what follows them.
  for ((at = 0; at <= COMP_CWORD; at++)); do
    word=\${COMP_WORDS[at]} trimmed=\${rest#"\${rest%%[![:space:]]*}"}
    if ((at == 0)) || [[ $trimmed != "$rest" ]]; then line+=("$word"); else line[\${#line[@]} - 1]+=$word; fi
    rest=\${trimmed#"$word"}
  done
  current=\${line[\${#line[@]} - 1]} previous=\${line[\${#line[@]} - 2]}
  if [[ $current == --*=* ]]; then previous=\${current%%=*} current=\${current#*=}; fi
  for word in "\${line[@]:1:\${#line[@]}-2}"; do
    if [[ -n $skip ]]; then skip=
    elif [[ -z \${given[*]} && ' ${officeSpellings.join(" ")} ' == *" $word "* ]]; then skip=1
    elif [[ $word == -* ]]; then break
    else given+=("$word")
    fi
  done
  case "\${given[*]:0:2}" in
${two.map(caseOf).join("\n")}
    *) named=1; case "\${given[0]}" in
${one.map(caseOf).join("\n")}
    esac ;;
  esac
  if [[ -n $previous && $takes == *" $previous="* ]]; then kind=\${takes#*" $previous="} kind=\${kind%% *}
  elif [[ $current == -* ]]; then words=$options
  elif [[ -n $operand ]] && ((\${#given[@]} - named < most)); then kind=$operand
  else words=\${words:-$options}
  fi
  case "$kind" in
    '') COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    FILE) ;;
    -) compopt +o default 2>/dev/null ;;
    \\|*) COMPREPLY=($(compgen -W "\${kind//|/ }" -- "$current")) ;;
    *)
      compopt +o default 2>/dev/null
      case "$current" in [\\'\\"]*) quote=\${current:0:1} current=\${current:1} ;; *) cut=\${current%"\${current##*[:=@]}"} ;; esac
      while IFS=$'\\t' read -r word about; do
        COMPREPLY+=("\${word#"$cut"}") abouts+=("$about")
      done < <(command dlo ${completing} "$kind" "\${line[@]:1:\${#line[@]}-2}" "=$current" 2>/dev/null)
      [[ \${COMPREPLY[0]} == *[:.] ]] && compopt -o nospace 2>/dev/null
      # Where they are only listed, what they are can stand beside them.
      [[ $COMP_TYPE == 63 && \${#COMPREPLY[@]} -gt 1 ]] || return
      for ((at = 0; at < \${#COMPREPLY[@]}; at++)); do
        wide="\${COMPREPLY[at]}  \${abouts[at]}" COMPREPLY[at]=\${wide:0:\${COLUMNS:-80}-2}
      done ;;
  esac
}
complete -o default -F _dlo dlo`;
}

function caseOf({ after, words, operand, options }: Place): string {
  const assigned = [
    ...(words.length === 0 ? [] : [`words=${quoted(words.map(({ word }) => word).join(" "))}`]),
    ...(operand === null ? [] : [`operand=${quoted(operand.value)} most=${operand.most}`]),
    ...(options.length === 0 ? [] : [`options=${quoted(options.map(({ spellings }) => spellings[0]).join(" "))}`]),
    ...(options.length === 0 ? [] : [`takes=${quoted(takesOf(options))}`]),
  ];
  return `    ${quoted(after)}) ${assigned.join(" ")} ;;`;
}
