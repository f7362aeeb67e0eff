import type { OutputOf } from "../office/operations/operations.ts";

type Labels = Readonly<Record<string, string>>;
type Sample = readonly [labels: Labels, value: number];

/** The type that Prometheus asks for. */
export const metricsType = "text/plain; version=0.0.4; charset=utf-8";

/** The office's figures in the text format of Prometheus. Names are a promise. */
export function metricsText(figures: OutputOf<"figures.get">): string {
  const { letters, oldest, arrived, replays, processes, drains, keys, keysUnchecked, retention, databaseWaits } =
    figures;
  return [
    metricFamily(
      "dlo_letters",
      "gauge",
      "Letters in the ledger.",
      letters.map(({ n, ...of }) => [of, n]),
    ),
    metricFamily(
      "dlo_oldest_letter_seconds",
      "gauge",
      "Time since the oldest open letter failed.",
      oldest.map(({ ageS, ...of }) => [of, ageS]),
    ),
    metricFamily(
      "dlo_letters_arrived_total",
      "counter",
      "Letters that were ever taken in.",
      arrived.map(({ n, ...of }) => [of, n]),
    ),
    metricFamily(
      "dlo_replays",
      "gauge",
      "Replays by state.",
      replays.map(({ n, ...of }) => [of, n]),
    ),
    metricFamily(
      "dlo_processes",
      "gauge",
      "Processes of the office that live, by duty.",
      processes.map(({ n, ...of }) => [of, n]),
    ),
    metricFamily(
      "dlo_drain_processes",
      "gauge",
      "Processes that drain a queue, and can.",
      drains.map(({ source, queue, processes: n }) => [{ source, queue }, n]),
    ),
    metricFamily(
      "dlo_drain_troubled_seconds",
      "gauge",
      "For how long no process has been able to drain a queue.",
      drains.map(({ source, queue, troubledS }) => [{ source, queue }, troubledS]),
    ),
    ...keyFamilies(keys),
    metricFamily(
      "dlo_blocked_keys_unchecked",
      "gauge",
      "Sources whose store of blocked keys does not answer.",
      keysUnchecked.map((source) => [{ source }, 1]),
    ),
    ...retentionFamilies(retention),
    metricFamily("dlo_database_waits", "gauge", "Statements of this process that wait for a connection.", [
      [{}, databaseWaits],
    ]),
  ].join("");
}

function keyFamilies(keys: OutputOf<"figures.get">["keys"]): readonly string[] {
  const samples = (figureOf: (each: (typeof keys)[number]) => number) =>
    keys.map((each): Sample => [{ source: each.source, queue: each.queue, state: each.state }, figureOf(each)]);
  return [
    metricFamily(
      "dlo_blocked_keys",
      "gauge",
      "Keys of ordered queues that wait, by the state of the message that blocks them.",
      samples(({ n }) => n),
    ),
    metricFamily(
      "dlo_blocked_key_messages",
      "gauge",
      "Messages that wait behind those.",
      samples(({ behind }) => behind),
    ),
    metricFamily(
      "dlo_oldest_blocked_key_seconds",
      "gauge",
      "Time since the key was blocked that waits longest.",
      samples(({ oldestS }) => oldestS),
    ),
  ];
}

function retentionFamilies(retention: OutputOf<"figures.get">["retention"]): readonly string[] {
  return [
    metricFamily(
      "dlo_retention_expired_total",
      "counter",
      "Letters that retention expired.",
      samplesOf(retention?.expired),
    ),
    metricFamily(
      "dlo_retention_removed_total",
      "counter",
      "Letters that retention removed with their week.",
      samplesOf(retention?.removed),
    ),
    metricFamily(
      "dlo_retention_last_run_timestamp_seconds",
      "gauge",
      "When a run of retention came to its end last.",
      samplesOf(retention?.lastAtS),
    ),
    metricFamily(
      "dlo_retention_next_run_timestamp_seconds",
      "gauge",
      "When the next run of retention is due.",
      samplesOf(retention?.nextAtS),
    ),
  ];
}

function samplesOf(value: number | null | undefined): readonly Sample[] {
  return value === null || value === undefined ? [] : [[{}, value]];
}

/** One figure in that format, with a sample for each set of labels. */
export function metricFamily(
  name: string,
  type: "gauge" | "counter",
  help: string,
  samples: readonly Sample[],
): string {
  const lines = samples.map(([labels, value]) => `${name}${labelText(labels)} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join("")}`;
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

/** Queues are named by strangers. */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
}
