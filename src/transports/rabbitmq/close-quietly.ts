import type { Channel } from "amqplib";

/** Ends a channel that nobody needs any more. Not to be waited for: if its connection is lost now, nobody ever answers. */
export async function closeQuietly(channel: Channel): Promise<void> {
  try {
    await channel.close();
  } catch {
    // It was closed already, or went with its connection.
  }
}
