import type { GroupSummary } from "../ledger/search/find-groups.ts";
import { urgency } from "../ledger/search/group-urgency.ts";

/** Whether many more come in an hour than before. The database judges alike (`urgencyOrder`), where it chooses among thousands. */
export function isGrowing({ hours }: Pick<GroupSummary, "hours">): boolean {
  const { recentHours, growingFrom, growingBy } = urgency;
  const recent = sum(hours.slice(-recentHours)) / recentHours;
  const before = sum(hours.slice(0, -recentHours)) / Math.max(1, hours.length - recentHours);
  return recent >= growingFrom && recent > growingBy * before;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
