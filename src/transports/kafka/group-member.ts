import { type Host, pause } from "../../domain/clock.ts";
import { isOfficeError } from "../../domain/errors.ts";
import { repeatDelayMs } from "../repeat-delay.ts";
import { assignLanes, type Claim } from "./assignment.ts";
import type { ConnectionWatch } from "./connection-watch.ts";
import {
  type CommittedOffset,
  type GroupSession,
  isFault,
  type Joined,
  type Membership,
  type TopicPartition,
} from "./driver.ts";
import {
  decodeAssignment,
  decodeSubscription,
  encodeAssignment,
  encodeSubscription,
  protocolName,
} from "./group-protocol.ts";

export interface GroupMemberParts {
  readonly session: GroupSession;
  readonly host: Host;
  readonly watch: ConnectionWatch;
  /** The topic of its queue. */
  readonly queue: string;
  /** All topics of its queue: its own and the retry topics. */
  readonly topics: readonly string[];
  readonly sessionTimeoutMs: number;
  /** How many partitions these topics of a queue have. */
  readonly countPartitions: (queue: string, topics: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** The lanes it has at this moment, and whether it is about to leave. */
  readonly claim: () => Pick<Claim, "lanes" | "isLeaving">;
  /** What it has from now on. */
  readonly assigned: (partitions: readonly TopicPartition[]) => void;
  /** Others may have all of it by now: nothing it did can be committed any more. */
  readonly lost: (error: unknown) => void;
  /** It will never be let in. */
  readonly failed: (error: unknown) => void;
}

/** The broker no longer counts us as a member, or not as one of this generation. */
const expelled = ["UNKNOWN_MEMBER_ID", "ILLEGAL_GENERATION", "FENCED_INSTANCE_ID"];
const hopeless = [
  ...["GROUP_AUTHORIZATION_FAILED", "TOPIC_AUTHORIZATION_FAILED", "INVALID_GROUP_ID", "INVALID_SESSION_TIMEOUT"],
  ...["UNSUPPORTED_VERSION"],
];
/** How often the leader looks for new partitions. */
const lookAroundMs = 30_000;

/** One member of a consumer group: joins, stays, joins again when others come and go, leaves. */
export class GroupMember {
  readonly #parts: GroupMemberParts;
  #membership: Membership = { memberId: "", generation: -1 };
  #isJoining = false;
  #hasLeft = false;
  #wantsRejoin = false;
  /** When the broker last said that we belong to the group. */
  #aliveAt = 0;
  #lookedAroundAt = 0;
  /** While this member leads: how many partitions each queue's topics had when it assigned them. */
  readonly #led = new Map<string, ReadonlyMap<string, number>>();
  #waiting = new AbortController();

  constructor(parts: GroupMemberParts) {
    this.#parts = parts;
  }

  /** Resolves when it has left, or can never join. */
  async run(): Promise<void> {
    const { watch, host, failed } = this.#parts;
    for (let tried = 1; !this.#hasLeft; tried++) {
      try {
        await this.#join();
        watch.works("group");
        tried = 0;
        await this.#stay();
      } catch (error) {
        if (this.#hasLeft) return;
        if (isFault(error, ...hopeless)) return failed(error);
        // Others came or went before everybody knew what they have: all join again at once.
        if (isFault(error, "REBALANCE_IN_PROGRESS")) continue;
        this.#checkExpelled(error);
        const waitMs = repeatDelayMs(tried, host.random);
        watch.failed("group", error, waitMs);
        await this.#wait(waitMs);
      }
    }
  }

  /** Joins again, to say what it has now. */
  rejoin(): void {
    this.#wantsRejoin = true;
    this.#waiting.abort();
  }

  /** Commits for as long as it is a member; rejects if it cannot at the moment. */
  async commit(offsets: readonly CommittedOffset[]): Promise<void> {
    const membership = this.#membership;
    try {
      await this.#parts.session.commit(membership, offsets);
    } catch (error) {
      // While it joins, the broker may be a generation ahead of it.
      if (!this.#isJoining && membership === this.#membership && this.#checkExpelled(error)) this.rejoin();
      throw error;
    }
  }

  async leave(): Promise<void> {
    const { session } = this.#parts;
    this.#hasLeft = true;
    this.#waiting.abort();
    // Without it, its lanes would only be given away when its session is over; that is all.
    if (this.#membership.memberId !== "") await session.leave(this.#membership.memberId).catch(() => {});
    await session.close();
  }

  async #join(): Promise<void> {
    this.#wantsRejoin = false;
    this.#isJoining = true;
    try {
      const joined = await this.#askToJoin();
      // Of the new generation from here on, whatever becomes of the assignment: what it has stays its own until it is told.
      this.#membership = { memberId: joined.memberId, generation: joined.generation };
      this.#aliveAt = this.#parts.host.clock.now();
      const assignments = await this.#assign(joined);
      const assignment = await this.#parts.session.sync(joined, protocolName, assignments);
      if (!this.#hasLeft) this.#parts.assigned(decodeAssignment(assignment));
    } finally {
      this.#isJoining = false;
    }
  }

  #askToJoin(): Promise<Joined> {
    const { session, topics, sessionTimeoutMs, claim, queue } = this.#parts;
    const { memberId, generation } = this.#membership;
    return session.join({
      memberId,
      protocol: protocolName,
      metadata: encodeSubscription(topics, { queue, ...claim(), generation }),
      sessionTimeoutMs,
      rebalanceTimeoutMs: sessionTimeoutMs * 2,
      named: (name) => {
        this.#membership = { memberId: name, generation: -1 };
      },
    });
  }

  /** As the leader, who assigns for everybody: a group may read several queues, each with consumers of its own. */
  async #assign({ members }: Joined): Promise<Map<string, Buffer>> {
    const claims = members.map(({ memberId, metadata }) => readClaim(memberId, metadata));
    const assignments: [string, Buffer][] = [];
    this.#led.clear();
    this.#lookedAroundAt = this.#parts.host.clock.now();
    for (const queue of new Set(claims.map((claim) => claim.queue))) {
      const rivals = claims.filter((claim) => claim.queue === queue);
      const counts = await this.#parts.countPartitions(queue, topicsOf(rivals));
      this.#led.set(queue, counts);
      assignments.push(...assignQueue(rivals, counts));
    }
    return new Map(assignments);
  }

  async #stay(): Promise<void> {
    const { session, sessionTimeoutMs, watch, host } = this.#parts;
    for (let waitMs = sessionTimeoutMs / 3; ; ) {
      await this.#wait(waitMs);
      if (this.#hasLeft || this.#wantsRejoin) return;
      try {
        await session.heartbeat(this.#membership);
        this.#aliveAt = host.clock.now();
        watch.works("group");
        waitMs = sessionTimeoutMs / 3;
        if (await this.#hasGrown()) return;
      } catch (error) {
        if (isFault(error, "REBALANCE_IN_PROGRESS") || this.#checkExpelled(error)) return;
        waitMs = Math.min(sessionTimeoutMs / 6, repeatDelayMs(1, host.random));
        watch.failed("group", error, waitMs);
      }
    }
  }

  /** Whether the leader has partitions to give away that were not there when it last did. */
  async #hasGrown(): Promise<boolean> {
    const { host, countPartitions } = this.#parts;
    if (host.clock.now() - this.#lookedAroundAt < lookAroundMs) return false;
    this.#lookedAroundAt = host.clock.now();
    for (const [queue, before] of this.#led) {
      const counts = await countPartitions(queue, [...before.keys()]);
      if ([...counts].some(([topic, count]) => count !== before.get(topic))) return true;
    }
    return false;
  }

  /**
   * Notes that nothing is ours any more, if that is what this means. So does a silence longer than the session; any answer,
   * even a refusal, is none.
   */
  #checkExpelled(error: unknown): boolean {
    const { host, sessionTimeoutMs, lost } = this.#parts;
    const isSilence = isOfficeError(error, "TRANSPORT_UNAVAILABLE");
    const isOverdue = isSilence && this.#aliveAt > 0 && host.clock.now() - this.#aliveAt > sessionTimeoutMs;
    if (!isFault(error, ...expelled) && !isOverdue) return false;
    if (isFault(error, "UNKNOWN_MEMBER_ID", "FENCED_INSTANCE_ID")) this.#membership = { memberId: "", generation: -1 };
    this.#aliveAt = 0;
    lost(error);
    return true;
  }

  async #wait(ms: number): Promise<void> {
    this.#waiting = new AbortController();
    if (this.#hasLeft || this.#wantsRejoin) return;
    await pause(this.#parts.host.clock, ms, this.#waiting.signal);
  }
}

function readClaim(memberId: string, metadata: Buffer): Claim {
  const { topics, userData } = decodeSubscription(metadata);
  const { queue = "", lanes = [], generation = -1, isLeaving = false } = (userData ?? {}) as Partial<Claim>;
  return { memberId, queue, topics, lanes, generation, isLeaving };
}

/** Every topic that any of them knows of, so that none is forgotten while versions differ. */
function topicsOf(claims: readonly Claim[]): string[] {
  return [...new Set(claims.flatMap(({ topics }) => topics))];
}

function assignQueue(claims: readonly Claim[], counts: ReadonlyMap<string, number>): [string, Buffer][] {
  const lanes = assignLanes(claims, Math.max(0, ...counts.values()));
  return Array.from(lanes, ([memberId, own]) => {
    const assigned = Array.from(counts).flatMap(([topic, count]) =>
      own.filter((lane) => lane < count).map((partition): TopicPartition => ({ topic, partition })),
    );
    return [memberId, encodeAssignment(assigned)];
  });
}
