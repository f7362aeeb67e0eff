/**
 * Who gets which lanes of a queue. A lane is a partition of the queue's topic with the partitions of that number of its
 * retry topics: they go together, so that a message keeps its place in its key while it waits for a retry.
 */
export interface Claim {
  readonly memberId: string;
  /** The topic of its queue; only those of one queue share lanes. */
  readonly queue: string;
  readonly topics: readonly string[];
  /** Lanes it has, and works on until it is told otherwise. */
  readonly lanes: readonly number[];
  /** The generation it was given them in: of two who claim a lane, the later one has it. */
  readonly generation: number;
  /** It is about to leave: it keeps what it is at work on, and gets nothing new. */
  readonly isLeaving: boolean;
}

/**
 * Lanes stay with whoever has them, as far as everybody gets his share. One that has to move is given to nobody at first:
 * its owner finishes what it has in hand, gives it up, and it is given away next time. So nothing stands still meanwhile.
 */
export function assignLanes(claims: readonly Claim[], laneCount: number): ReadonlyMap<string, readonly number[]> {
  const owners = ownersOf(claims, laneCount);
  const staying = claims.filter(({ isLeaving }) => !isLeaving);
  const share = Math.floor(laneCount / Math.max(1, staying.length));
  // So many have one lane more than the others.
  let larger = laneCount - share * staying.length;
  const assigned = new Map<string, number[]>();
  for (const { memberId, isLeaving } of claims) {
    const owned = owners.get(memberId) ?? [];
    const isLarger = !isLeaving && owned.length > share && larger > 0;
    if (isLarger) larger -= 1;
    assigned.set(memberId, isLeaving ? [...owned] : owned.slice(0, isLarger ? share + 1 : share));
  }
  const owned = new Set([...owners.values()].flat());
  const free = Array.from({ length: laneCount }, (_, lane) => lane).filter((lane) => !owned.has(lane));
  for (const lane of free) poorest(staying, assigned)?.push(lane);
  return assigned;
}

function ownersOf(claims: readonly Claim[], laneCount: number): ReadonlyMap<string, readonly number[]> {
  const owners = new Map<number, Claim>();
  for (const claim of claims) {
    for (const lane of claim.lanes) {
      const rival = owners.get(lane);
      if (lane < laneCount && (rival === undefined || rival.generation < claim.generation)) owners.set(lane, claim);
    }
  }
  const byMember = new Map<string, number[]>();
  for (const [lane, { memberId }] of [...owners].sort(([a], [b]) => a - b)) {
    byMember.set(memberId, [...(byMember.get(memberId) ?? []), lane]);
  }
  return byMember;
}

function poorest(members: readonly Claim[], assigned: ReadonlyMap<string, number[]>): number[] | undefined {
  const shares = members.map(({ memberId }) => assigned.get(memberId) ?? []);
  return shares.toSorted((a, b) => a.length - b.length)[0];
}
