import { systemClock } from "../../system/host.ts";
import { Connection } from "../../transports/rabbitmq/connection.ts";
import type { Gap } from "../../wiring/wiring.ts";
import { reasonOf } from "../refusals.ts";

/** Whether letters could be drained and sent back from here: opens a connection and closes it again, no more. */
export async function gapsOverAmqp(url: string, limitMs: number): Promise<Gap[]> {
  const connection = new Connection({
    urls: [url],
    name: "dlo doctor",
    heartbeatMs: limitMs,
    answerWithinMs: limitMs,
    tls: {},
    clock: systemClock,
  });
  try {
    await connection.open();
    return [];
  } catch (error) {
    const why = /ACCESS[_-]REFUSED|ConnectionClose/.test(messagesOf(error))
      ? "it refuses the name, the password or the virtual host"
      : reasonOf(error);
    return [
      {
        kind: "missing",
        sentence: `Over AMQP ${why}, so letters cannot be drained or sent back.`,
        remedy: "Check host, port, user, password and virtual host in `url`.",
      },
    ];
  } finally {
    await connection.close();
  }
}

function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messagesOf(error.cause)}` : "";
}
