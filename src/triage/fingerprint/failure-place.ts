import { memo } from "../../domain/memo.ts";

/** Frames of runtimes, frameworks and drivers: the same for many failures, so they do not tell one from another. */
const foreign =
  /node_modules|node:|internal\/|<anonymous>|site-packages|dist-packages|\/gems\/|\/vendor\/|vendor\/|\blib\/python|^\s*at (?:java|javax|jakarta|sun|jdk|kotlin|scala|org\.springframework|org\.apache|org\.hibernate|com\.fasterxml|com\.zaxxer|com\.rabbitmq|io\.netty|io\.grpc|reactor|oracle|com\.mysql|org\.postgresql|com\.mongodb|software\.amazon|com\.amazonaws|com\.google|feign|okhttp3|io\.confluent|System|Microsoft|Newtonsoft|MassTransit|NServiceBus|Rebus|Hangfire|Polly|Npgsql|Azure|Grpc)\.|^(?:celery|kombu|requests|urllib3|django|sqlalchemy|botocore|boto3|redis|pika|json|asyncio|billiard|psycopg2?|aiohttp|httpx)\/|activerecord|activejob|activesupport|sidekiq\/|net\/http\.rb|runtime\/|\bgithub\.com\/(?:jackc|lib|go-redis|segmentio|IBM|Shopify|aws|gin-gonic|labstack)|core::|std::|tokio|\(elixir|\(stdlib|\(ecto|\(db_connection|\(oban|\(postgrex|processTicksAndRejections|gopanic/;

/**
 * Where it failed: the innermost function of the team's own code, else the innermost of all; without file, line,
 * address or the numbers that compilers put into names, since these change with every deploy. Null without a stack.
 */
export function failurePlace(stack: readonly string[]): string | null {
  let innermost: Place | undefined;
  for (const line of stack.length > mostLines ? stack.slice(0, mostLines) : stack) {
    const place = placeOf(line.length > longestLine ? line.slice(0, longestLine) : line);
    if (place === null) continue;
    if (!place.isForeign) return place.name;
    innermost ??= place;
  }
  return innermost?.name ?? null;
}

const mostLines = 40;
/** In characters. The shape of a frame is looked for from each bracket to the end of the line, so a longer line would take its square. */
const longestLine = 1_000;

/** A frame of a stack. */
interface Place {
  readonly name: string;
  readonly isForeign: boolean;
}

/** Null for a line that is no frame. */
const placeOf = memo(
  (line): Place | null => (isFrame(line) ? { name: functionName(line), isForeign: foreign.test(line) } : null),
  { worthKeeping: (place) => place !== null },
);

function isFrame(line: string): boolean {
  return (
    !line.startsWith("Caused by") &&
    /^\s*(?:at|bei|en|在|à|from|#\d+)\s|[\w>)]\s*\(.*:\d+|\.\w{1,5}:\d+|\.\w{1,5}\(\d+\)|:in [`']|line \d+/.test(line)
  );
}

/** By language: `at a.b(C.java:1)`, `file.py:3 in f`, `file.rb:3:in 'f'`, `#0 file.php(3): A->b()`, `pkg.f(...) file.go:3`. */
const shapes: readonly RegExp[] = [
  /:in [`']([^'`]+)['`]/,
  /:\d+ in ([\w.<>]+)/,
  /^\s*#\d+\s+\S+\(\d+\):\s*([\w\\:>-]+)/,
  /^\s*(?:at|bei|en|在|à)\s+(?:async\s+|new\s+)?([^\s(]+)/,
  /^([\w./*()-]+?)\(/,
  /:\s*([\w.]+\/\d)\s*$/,
];

function functionName(frame: string): string {
  for (const shape of shapes) {
    const name = shape.exec(frame)?.[1];
    if (name !== undefined && !/^(?:\/|file:|[A-Za-z]:\\|<)/.test(name)) return plain(name);
  }
  return plain(fileName(frame));
}

function fileName(frame: string): string {
  return /([\w.-]+\.[A-Za-z]{1,5})\b/.exec(frame)?.[1] ?? frame.slice(0, 80);
}

/** Lambdas, generics and inner classes are numbered anew by each build. */
function plain(name: string): string {
  return name
    .replaceAll(/\$\$Lambda.*$|0x[0-9a-f]+|`\d+|\[.*?\]/gi, "")
    .replaceAll(/[$_.]?\d+/g, "")
    .slice(0, 160);
}
