import { requireOneOf } from "../../domain/options.ts";
import { type Budget, budgets } from "../../simulate/outage-policies.ts";
import type { Flag } from "../flags.ts";

const shareForm = /^(\d+(?:\.\d+)?)%(?:\+(\d+))?$/;
const usualFloor = budgets.own.floorPerSecond;

/** A budget by its name, or as the share and floor to try: `5%`, `5%+2`. */
export const budgetFlag: Flag<Budget | null> = {
  takesValue: true,
  placeholder: "BUDGET",
  about: `limit on retries: ${Object.keys(budgets).join(", ")}, or a share of requests and retries a second, such as 5%+2`,
  shownDefault: "as the policy has it",
  default: null,
  parse(text, option) {
    const [, share, floor] = shareForm.exec(text) ?? [];
    if (share !== undefined) {
      return { kind: "share", ratio: Number(share) / 100, floorPerSecond: Number(floor ?? usualFloor) };
    }
    requireOneOf(option, text, [...Object.keys(budgets), "N%+N"]);
    return budgets[text as keyof typeof budgets];
  },
};
