import { inWords } from "./counts.ts";

export interface StateChipProps {
  readonly state: string;
  readonly tone: "good" | "warn" | "bad" | "now" | "idle";
}

/** Always a word; the colour only helps to find it. */
export function StateChip({ state, tone }: StateChipProps) {
  return <span className={`state ${tone}`}>{inWords(state)}</span>;
}
