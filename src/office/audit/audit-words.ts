import { showCount } from "../../domain/show-count.ts";

type Details = Readonly<Record<string, unknown>>;

/**
 * What each action is in words, without who did it. `{x}` stands for what an entry says under x, `{#x}` for that many letters:
 * a number, or the length of a list. An entry that lacks one of them says what it can.
 */
const sentences: Readonly<Record<string, string>> = {
  "alert.acknowledged": "takes care of an alert of {rule}: {sentence}",
  "alert.cleared": "alert of {rule} is over: {sentence}",
  "alert.cleared_quietly": "alert of {rule} is over: {sentence}",
  "alert.fired": "alert of {rule}: {sentence}",
  "alert.fired_quietly": "alert of {rule}, of which nobody was told: {sentence}",
  "alert.more": "alert of {rule}: {sentence}",
  "alert.rule_muted": "muted the alert rule {rule} until {until}",
  "alert.rule_removed": "removed the alert rule {rule}",
  "alert.rule_set": "set the alert rule {rule}: {sentence}",
  "alert.test_over": "ended the test of the alert rule {rule}",
  "alert.tested": "tested the alert rule {rule}",
  "breakers.force_open": "forced the breaker {breaker} open for {forSeconds} s",
  "breakers.force_open_failed": "could not force the breaker {breaker} open: {error}",
  "breakers.probe": "let the breaker {breaker} try a message",
  "breakers.probe_failed": "could not let the breaker {breaker} try a message: {error}",
  "breakers.release": "released the breaker {breaker}",
  "breakers.release_failed": "could not release the breaker {breaker}: {error}",
  "deploy.recorded": "recorded the deploy of {service} {version}",
  "duplicates.accepted": "accepted duplicates in {source}/{queue}: {because}",
  "duplicates.revoked": "no longer accepts duplicates in {source}/{queue}",
  "fix.recorded": "recorded a fix of {group}",
  "fix.retracted": "retracted {fix}",
  "groups.acknowledged": "acknowledged {group}",
  "groups.assigned": "assigned {group} to {said}",
  "groups.classified": "classified {#n} of {group} as {category}",
  "groups.introduced": "said that {said} introduced {group}",
  "groups.merged": "merged {group} into {into}",
  "groups.noted": "noted on {group}",
  "groups.snoozed": "snoozed {group}",
  "groups.split": "split {into} from {group}",
  "groups.tagged": "tagged {group}: {tags}",
  "groups.undone": "undid change {undoes} of {group} and {into}",
  "groups.untagged": "took tags off {group}: {tags}",
  "groups.woken": "woke {group}",
  "keys.release": "releases the place of {#letters} in {source}/{queue}: {letters}",
  "keys.released": "released numbers {numbers} in {source}/{queue} ({outcome}), since {#letters} {because}: {letters}",
  "ledger.restored": "restored the ledger from a backup of {backupAt}",
  "letter.edited": "edited {letter}: revision {revision}",
  "letters.classified": "classified {#letters} as {category}: {letters}",
  "letters.compensated": "compensated {#letters}: {letters}",
  "letters.compensating": "sends a compensation for {#letters} to {source}/{queue}: {letters}",
  "letters.compensation_failed": "could not send the compensation for {#letters}: {letters}",
  "letters.dropped": "dropped {#letters}: {letters}",
  "letters.escalated": "escalated {#letters}: {letters}",
  "letters.expired": "{#n} passed their time, from {first}",
  "letters.exported_unmasked": "exported {#letters} unmasked, found by {query}",
  "letters.forgotten": "forgot {#letters} of the week of {week}",
  "letters.give_back_failed": "could not give {#letters} back: {letters}",
  "letters.given_back": "gave {#letters} back: {letters}",
  "letters.giving_back": "gives {#letters} back: {letters}",
  "letters.reclassified": "{#n} were sorted anew by {by}, from {first}",
  "letters.regrouped": "{#moved} went to other groups, from {first}",
  "letters.reopened": "reopened {#letters}: {letters}",
  "letters.revealed": "looked at {letter} unmasked",
  "letters.searched_masked": "searched in what is masked: {paths}",
  "letters.tagged": "tagged {#letters} {tags}: {letters}",
  "letters.tagged_by_rules": "{#n} were tagged by {by}, from {first}: {tags}",
  "letters.untagged": "took {tags} off {#letters}: {letters}",
  "notice.dropped": "could not tell {notifier} of entry {entry}: {because}",
  "people.added": "added {person}: {roles}",
  "people.by_identity": "has the roles that {issuer} gives: {to}",
  "people.changed": "changed the roles of {person} from {from} to {to}",
  "people.configured": "gave {person} the roles that the configuration says: {to}",
  "people.enrolled": "chose a password",
  "people.first_admin": "became the first admin",
  "people.joined": "let {person} sign in by {issuer}",
  "people.lost_roles": "has no role any more by {issuer}: sessions and tokens ended",
  "people.renamed": "renamed {person} to {to}",
  "policy.applied": "put policy version {version} in force",
  "replay.acknowledged": "answered for {#numbers} of {replay}",
  "replay.approved": "approved {replay}",
  "replay.asked": "asked for approval of {replay}",
  "replay.cancelled": "cancelled {replay}",
  "replay.doubt_settled": "settled {#items} of {replay} that were in doubt: {verdict}",
  "replay.evidence_found": "found out about letters of {replay} that were in doubt: {#sent} sent, {#unsent} not",
  "replay.excluded": "left {#numbers} out of {replay}",
  "replay.expired": "{replay} expired",
  "replay.finished": "{replay} finished {verdict}",
  "replay.glass_broken": "broke the glass for {replay}",
  "replay.halted": "{replay} was halted by its guard on {guard}: {sentence}",
  "replay.paused": "paused {replay}",
  "replay.planned": "planned {replay} of {#selected} found by {query}",
  "replay.rejected": "rejected {replay}",
  "replay.resumed": "resumed {replay}",
  "replay.revoked": "took back the approval of {replay}",
  "replay.started": "started {replay}: {#expectCount} to send",
  "roles.removed": "removed the role {role}",
  "roles.set": "set the role {role}: {is} of {queues}",
  "sending.released": "let sending go on",
  "sending.stopped": "stopped all sending",
  "session.begun": "signed in",
  "session.ended": "signed out at {issuer}",
  "sources.added": "added the source {source}",
  "sources.changed": "changed the source {source}",
  "sources.removed": "removed the source {source}",
  "tokens.made": "made the token {name} for {owner}",
  "tokens.revoked": "revoked the token {token}",
  "tokens.suspending": "will suspend the tokens of {owner} on {suspendsAt}, unless they sign in before",
  "views.shared": "shared the view {view}: {q}",
  "views.unshared": "no longer shares the view {view}",
};

/** What somebody did, as a person would say it after their name. */
export function auditSentence(action: string, details: Details): string {
  if (action === "letters.held") return takenIn(details);
  const template = sentences[action];
  if (template === undefined) return withWhy(action.replaceAll(/[._]/g, " "), details);
  const [said, ...more] = template.split(": ");
  const filled = [said ?? "", ...more].map((part) => fill(part, details)).filter((part) => part !== "");
  return withWhy(filled.join(": "), details);
}

function takenIn({ held, merged, returned, tagged, source, drainedFrom }: Details): string {
  const from = `from ${textOf(source)}/${textOf(drainedFrom)}`;
  const sends = Array.isArray(returned) ? returned.map(textOf) : [];
  const replays = [...new Set(sends.map((send) => send.split("/")[0] ?? ""))].join(", ");
  const parts = [
    ...(Number(held) > 0 ? [`took in ${lettersOf(held)} ${from}`] : []),
    ...(sends.length > 0 ? [`${lettersOf(sends)} of ${replays} came back ${from}`] : []),
    ...Object.entries(tagged ?? {}).map(([tag, n]) => `tagged ${lettersOf(n)} ${tag}`),
    ...(Number(merged) > 0 ? [`found ${lettersOf(merged)} again ${from}`] : []),
  ];
  return parts.join("; ") || `found nothing new ${from}`;
}

function fill(template: string, details: Details): string {
  return template.replaceAll(/\{(#?)(\w+)\}/g, (_, counts: string, name: string) =>
    counts === "#" ? lettersOf(details[name]) : textOf(details[name]),
  );
}

/** Why, in the words of whoever did it, and what it can be found by. */
function withWhy(said: string, { reason, because, reference }: Details): string {
  const why = [reason, because].filter((each): each is string => typeof each === "string" && each.trim() !== "");
  const told = why.filter((each) => !said.includes(each));
  const where = typeof reference === "string" && reference !== "" ? ` (${reference})` : "";
  return `${[said, ...told].join(": ")}${where}`;
}

const namedAtMost = 3;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (!Array.isArray(value)) return typeof value === "string" ? value : JSON.stringify(value);
  const named = value.slice(0, namedAtMost).map(textOf).join(", ");
  return value.length > namedAtMost ? `${named} and ${value.length - namedAtMost} more` : named;
}

function lettersOf(value: unknown): string {
  const n = Array.isArray(value) ? value.length : Number(value ?? 0);
  return showCount(n, "letter");
}
