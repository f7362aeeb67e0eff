import { type Clock, within } from "../domain/clock.ts";
import type { Queries } from "../domain/database.ts";

const readyWithinMs = 2_000;

/** Whether a database answers, and soon. */
export function isAnswering(database: Queries, clock: Clock): Promise<boolean> {
  const asked = database.query("select 1", []).then(
    () => true,
    () => false,
  );
  return within(clock, readyWithinMs, asked, () => false);
}
