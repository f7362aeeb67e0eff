import { isInScope } from "../../domain/actor.ts";
import { openStates } from "../../domain/letter.ts";
import { isDemo } from "../../ledger/demo-mark.ts";
import { listBeingDrained } from "../../ledger/drain-session.ts";
import type { Ledger } from "../../ledger/ledger.ts";
import { listBreakers } from "../../ledger/list-breakers.ts";
import { listConsumers, type ReportedConsumer } from "../../ledger/list-consumers.ts";
import { countQueues, type QueueCount } from "../../ledger/search/count-queues.ts";
import { type FailureHours, failureHours } from "../../ledger/search/failure-hours.ts";
import { listKnownQueues, readQueueRoutes } from "../../ledger/search/queue-routes.ts";
import { letterFate } from "../../sources/letter-fate.ts";
import { queueBehind } from "../intake/read-letters.ts";
import type { Office } from "../operations/operation.ts";
import { workOfOffice } from "../told-work.ts";
import { byWeight, isFocused } from "./focus.ts";
import type { ConnectedSource, Place, TopologyFacts } from "./topology-facts.ts";

const consumersAtMost = 500;
const queuesAtMost = 1_000;
/** Queues whose latest letters are looked at. */
const routesAtMost = 200;

/** All that is known, with a bounded look at letters: those in focus, and the queues with most open ones. */
export async function gatherTopology(office: Office, focus: string): Promise<TopologyFacts> {
  const { ledger, clock, sources } = office;
  await sources.book.refresh();
  const consumers = await listConsumers(ledger, consumersAtMost);
  const places = placesOf(await countQueues(ledger), (await failureHours(ledger, clock.now())).queues, consumers);
  const straight = focus === "" ? [] : places.filter((place) => isLikelyFocused(consumers, place, focus));
  const looked = [...new Set([...straight, ...byWeight(places)])].slice(0, routesAtMost);
  return {
    ...{ places, consumers, connected: connectedTo(office), isDemo: await isDemo(ledger, ledger.database) },
    brokers: await brokersOf(ledger),
    ...{ routes: await readQueueRoutes(ledger, looked), unexplored: places.length - looked.length },
    breakers: await listBreakers(ledger),
    drained: await listBeingDrained(ledger),
    troubles: (await workOfOffice(office)).drains.flatMap(({ source, queue, trouble, troubledSince }) => {
      const isSeen = trouble !== null && troubledSince !== null && isInScope(ledger.scope, source, queue);
      return isSeen ? [{ source, queue, trouble }] : [];
    }),
  };
}

/** Before letters were looked at: a dead-letter queue is focused by the queue it is called after. */
function isLikelyFocused(consumers: readonly ReportedConsumer[], place: Place, focus: string): boolean {
  return [focus, queueBehind(focus)].some((name) => isFocused({ consumers, routes: [] }, place, name));
}

async function brokersOf(ledger: Ledger): Promise<ReadonlyMap<string, string>> {
  const known = await listKnownQueues(ledger, queuesAtMost);
  return new Map(known.map(({ source, broker }) => [source, broker]));
}

function connectedTo({ sources: { book }, replay, ledger: { scope } }: Office): readonly ConnectedSource[] {
  return book.all().map((source) => ({
    ...{ name: source.name, broker: source.broker, owner: source.owner, isSeen: scope.length === 0 },
    named: source.queues
      .map(({ match }) => match)
      .filter((match) => !match.includes("*") && isInScope(scope, source.name, match)),
    fateOf: (deadLetters) => letterFate(source, deadLetters),
    replayTo: (deadLetters) => replay.replayTo(source.name, deadLetters),
  }));
}

/** Every queue that letters came from or that somebody is at work on. */
function placesOf(
  counts: readonly QueueCount[],
  hours: FailureHours["queues"],
  consumers: readonly ReportedConsumer[],
): readonly Place[] {
  const places = new Map<string, { source: string; queue: string; open: number; failedLately: number }>();
  const at = ({ source, queue }: { readonly source: string; readonly queue: string }) => {
    const name = JSON.stringify([source, queue]);
    const place = places.get(name) ?? { source, queue, open: 0, failedLately: 0 };
    places.set(name, place);
    return place;
  };
  for (const each of consumers) at(each);
  for (const each of counts) at(each).open += (openStates as readonly string[]).includes(each.state) ? each.n : 0;
  for (const each of hours) at(each).failedLately = each.hours.slice(-2).reduce((sum, n) => sum + n, 0);
  return [...places.values()];
}
