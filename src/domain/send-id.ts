/** What such an id begins with that was given to a message of somebody else when it was delivered. */
const adopted = "~";

export function adoptedId(id: string): string {
  return adopted + id;
}

/**
 * Whether a send id, or the name of a failure, is of a message that somebody else sent. Two that are the same are of one message; two
 * that differ may be as well: its consumer died before it had sent it on, and gave it another id when it came again.
 */
export function isAdopted(id: string): boolean {
  return id.startsWith(adopted);
}
