import type { ChoreStatus } from "./chore.ts";
import type { DrainStatus } from "./intake/standing-drains.ts";
import type { NotifierStatus } from "./notify/standing-notices.ts";
import type { LeadStatus } from "./replay/standing-replays.ts";
import type { ReportsStatus } from "./replay/standing-reports.ts";

/** What an office does by itself for as long as it runs, for people. */
export interface WorkStatus {
  readonly drains: readonly DrainStatus[];
  readonly reports: readonly ReportsStatus[];
  readonly replays: readonly LeadStatus[];
  readonly notifiers: readonly NotifierStatus[];
  readonly chores: readonly ChoreStatus[];
}
