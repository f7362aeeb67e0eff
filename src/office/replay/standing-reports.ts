import type { Clock } from "../../domain/clock.ts";
import type { Incident } from "../../transports/transport.ts";
import { keepForEach } from "../keep-for-each.ts";
import { keepTrying, sentenceOf } from "../keep-trying.ts";
import { changedStatus, type LastTrouble } from "../last-trouble.ts";

/** How the reports of a source are being read, for people. */
export interface ReportsStatus {
  readonly source: string;
  readonly state: "reading" | "waiting";
  /** Since when it is in that state, in milliseconds since 1970. */
  readonly since: number;
  /** Reports taken since the office started. */
  readonly taken: number;
  /** Why it is waiting, or what troubled it last. */
  readonly trouble: string | null;
  readonly lastTrouble: LastTrouble | null;
}

export interface ReadHooks {
  readonly signal: AbortSignal;
  readonly onTaken: () => void;
  readonly onIncident: (incident: Incident) => void;
}

export interface StandingReportsParts {
  /** Those there are by now. */
  readonly sources: () => readonly { readonly name: string }[];
  /** Reads the reports of one until it is stopped. */
  readonly read: (source: string, hooks: ReadHooks) => Promise<void>;
  readonly clock: Clock;
}

export interface StandingReports {
  status(): readonly ReportsStatus[];
  close(): Promise<void>;
}

/** Hears what consumers say, of every source and for as long as the office runs. A source that is away keeps no other waiting. */
export function standingReports({ sources, read, clock }: StandingReportsParts): StandingReports {
  const stop = new AbortController();
  const statuses = new Map<string, ReportsStatus>();
  const names = () => sources().map(({ name }) => name);
  const reading = keepForEach({ names, clock, signal: stop.signal, keep: keepReading });

  async function keepReading(source: string, signal: AbortSignal): Promise<void> {
    const untroubled = { trouble: null, lastTrouble: null };
    let status: ReportsStatus = { source, state: "reading", since: clock.now(), taken: 0, ...untroubled };
    const note = (change: Partial<ReportsStatus>) => {
      status = changedStatus(status, change, clock.now());
      statuses.set(source, status);
    };
    note({});
    await keepTrying({
      ...{ clock, signal },
      attempt(progressed) {
        if (status.state === "waiting") note({ state: "reading", since: clock.now() });
        const onTaken = () => {
          progressed();
          note({ taken: status.taken + 1, trouble: null });
        };
        const onIncident = ({ kind, error }: Incident) =>
          note({ trouble: kind === "connection-restored" ? null : sentenceOf(error ?? kind) });
        return read(source, { signal, onTaken, onIncident });
      },
      onFailure: (error) => note({ state: "waiting", since: clock.now(), trouble: sentenceOf(error) }),
    });
    statuses.delete(source);
  }

  return {
    status: () => [...statuses.values()],
    async close() {
      stop.abort();
      await reading;
    },
  };
}
