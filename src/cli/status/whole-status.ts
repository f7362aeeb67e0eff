import type { OutputOf } from "../../http/client.ts";
import type { AtWork } from "../ledger/ledger-flags.ts";
import { ifShown, underWay, vitalsOf } from "../top/look.ts";

/** The office and all it has to do with, at one moment. */
export interface WholeStatus extends ReturnType<typeof vitalsOf> {
  readonly place: string;
  readonly office: OutputOf<"status.get">;
  /** Null for somebody to whom not all queues are shown. */
  readonly ledger: OutputOf<"status.ledger"> | null;
  readonly replays: OutputOf<"replays.list">["items"];
  /** Null for somebody to whom not all queues are shown. */
  readonly breakers: OutputOf<"breakers.list">["items"] | null;
}

export async function statusOf({ ask, place }: AtWork): Promise<WholeStatus> {
  const [office, ledger, queues, replays, breakers] = await Promise.all([
    ask("status.get", {}),
    ifShown(() => ask("status.ledger", {})),
    ask("queues.list", {}),
    ask("replays.list", { states: [...underWay], limit: 20 }),
    ifShown(async () => (await ask("breakers.list", {})).items),
  ]);
  return { place, office, ledger, ...vitalsOf(queues), replays: replays.items, breakers };
}
