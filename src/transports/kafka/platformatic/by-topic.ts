/** Partitions as the protocol has them: grouped by their topic. */
export function byTopic<Item extends { readonly topic: string }, Part>(
  items: readonly Item[],
  partOf: (item: Item) => Part,
): { readonly name: string; readonly partitions: Part[] }[] {
  const topics = new Map<string, Part[]>();
  for (const item of items) {
    const parts = topics.get(item.topic) ?? [];
    parts.push(partOf(item));
    topics.set(item.topic, parts);
  }
  return Array.from(topics, ([name, partitions]) => ({ name, partitions }));
}
