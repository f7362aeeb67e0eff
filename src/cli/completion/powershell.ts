import { completing } from "./answer.ts";
import { officeSpellings, type Place } from "./choices.ts";

/** For PowerShell 5 and newer. */
export function powershellScript(places: readonly Place[]): string {
  return `# dlo completion for PowerShell: dlo completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName dlo -ScriptBlock {
  param($current, $ast, $cursor)
  $places = @{
${places.map(entryOf).join("\n")}
  }
  $before = @($ast.CommandElements | Select-Object -Skip 1 | Where-Object { $_.Extent.EndOffset -lt $cursor } | ForEach-Object {
    if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text }
  })
  $given = @(); $skip = $false
  foreach ($word in $before) {
    if ($skip) { $skip = $false }
    elseif ($given.Count -eq 0 -and ${officeSpellings.map(quoted).join(", ")} -contains $word) { $skip = $true }
    elseif ($word -like '-*') { break } else { $given += $word }
  }
  $named = [Math]::Min(2, $given.Count)
  $place = $places[($given | Select-Object -First 2) -join ' ']
  if ($null -eq $place) { $named = 1; $place = $places["$($given[0])"] }
  if ($null -eq $place) { return }
  $typed = "$current" -replace '^[''"]', ''
  $previous = if ($before.Count -gt 0) { $before[-1] } else { '' }
  $kind = if ($place.takes.ContainsKey($previous)) { $place.takes[$previous] }
    elseif ($typed -notlike '-*' -and $place.operand -and $given.Count - $named -lt $place.most) { $place.operand } else { '' }
  if ($kind -eq 'FILE' -or $kind -eq '-') { return }
  $pairs = if ($kind -like '|*') { $kind.Substring(1).Split('|') }
    elseif ($kind) { & dlo ${completing} $kind @before "=$typed" 2>$null }
    elseif ($typed -like '-*' -or $place.words.Count -eq 0) { $place.options } else { $place.words }
  foreach ($pair in $pairs) {
    $value, $about = "$pair" -split "\`t", 2
    if ($value -notlike "$([WildcardPattern]::Escape($typed))*") { continue }
    $text = if ($value -match '\\s') { "'$value'" } else { $value }
    [System.Management.Automation.CompletionResult]::new($text, $value, 'ParameterValue', $(if ($about) { $about } else { $value }))
  }
}`;
}

function entryOf({ after, words, operand, options }: Place): string {
  const takes = options.flatMap(({ spellings, value }) =>
    value === null ? [] : spellings.map((spelling) => `${quoted(spelling)} = ${quoted(value)}`),
  );
  const told = (pairs: readonly (readonly [word: string, about: string])[]) =>
    `@(${pairs.map(([word, about]) => quoted(`${word}\t${about}`)).join(", ")})`;
  const parts = [
    `words = ${told(words.map(({ word, about }) => [word, about]))}`,
    `options = ${told(options.flatMap(({ spellings: [long = ""], about }) => [[long, about]]))}`,
    `takes = @{ ${takes.join("; ")} }`,
    `operand = ${quoted(operand?.value ?? "")}; most = ${operand?.most ?? 0}`,
  ];
  return `    ${quoted(after)} = @{ ${parts.join("; ")} }`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
