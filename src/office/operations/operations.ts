import type { z } from "zod";
import type { Actor } from "../../domain/actor.ts";
import {
  listAllAlertRules,
  muteOneAlertRule,
  previewAlertRule,
  removeOneAlertRule,
  setAlertRule,
  testAlertRule,
} from "./alert-rules.ts";
import { acknowledgeOneAlert, listAlerts } from "./alerts.ts";
import { listAudit, verifyAuditLog } from "./audit.ts";
import { forceBreakerOpen, getBreaker, probeBreaker, releaseBreaker } from "./breakers.ts";
import { classifyByHand, classifyGroupByHand } from "./classify.ts";
import {
  compensateLetters,
  dropLetters,
  escalateLetters,
  giveLettersBack,
  reopenLetters,
  settleLetterCompensation,
} from "./decisions.ts";
import { listRecordedDeploys, recordDeploy } from "./deploys.ts";
import { acceptDuplicates, listDuplicates, revokeDuplicates } from "./duplicates.ts";
import { editLetter, listEdits, previewLetterEdit } from "./edits.ts";
import { getFigures } from "./figures.ts";
import { listRecordedFixes, recordFix, retractRecordedFix } from "./fixes.ts";
import {
  listGroupChanges,
  mergeGroup,
  previewGroupChange,
  splitGroupByCondition,
  undoGroupChange,
} from "./group-changes.ts";
import { getInCommon } from "./group-likeness.ts";
import { getGroupOutage } from "./group-outage.ts";
import {
  acknowledgeGroup,
  assignGroup,
  getTimeline,
  introduceGroup,
  noteOnGroup,
  snoozeGroup,
  wakeGroup,
} from "./group-words.ts";
import { getAffected, getGroup, listGroups, listInbox, listQueues } from "./groups.ts";
import { wholeIdOf } from "./ids.ts";
import { getInsights } from "./insights.ts";
import { countBehind, getKey, listKeys, releaseKey } from "./keys.ts";
import { getLedgerStatus } from "./ledger-status.ts";
import { letterBody } from "./letter-body.ts";
import { getLetterOutlook } from "./letter-outlook.ts";
import { countFacets, countMatching, getLetter, getMatrix, listLetters } from "./letters.ts";
import { lookOn } from "./onlookers.ts";
import { type Office, type Operation, perform } from "./operation.ts";
import { peekIntoQueue } from "./peek.ts";
import { addPersonByName, changePersonByName, joinIdentity, listEverybody, renamePersonByName } from "./people.ts";
import { applyPolicyFile, diffPolicy, listPolicies, listProtocols, previewPolicyEffect, showPolicy } from "./policy.ts";
import {
  acknowledgeRisks,
  approveReplay,
  askForReplay,
  breakReplayGlass,
  cancelReplay,
  excludeFromReplay,
  pauseOne,
  rejectReplay,
  resumeReplay,
  revokeApproval,
  settleReplayDoubt,
  startReplay,
} from "./replay-decisions.ts";
import { getReplayHistory } from "./replay-history.ts";
import {
  getReplay,
  listAllReplays,
  listReplayChanges,
  listReplayDrift,
  listReplayItems,
  planReplays,
} from "./replays.ts";
import { getReport } from "./report.ts";
import { applyRetentionNow, getRetention } from "./retention.ts";
import { listNamedRoles, removeNamedRole, setNamedRole } from "./roles.ts";
import { searchMasked } from "./search-masked.ts";
import { pauseAllReplays, releaseReplays } from "./sending.ts";
import { checkSignIn } from "./sign-in-check.ts";
import { addSource, changeSource, listSourceGuides, listSources, lookAtSource, removeSource } from "./sources.ts";
import { getStatus } from "./status.ts";
import { tagOneGroup, tagSomeLetters, untagOneGroup, untagSomeLetters } from "./tags.ts";
import { listOwnTokens, makeOwnToken, revokeTokenById } from "./tokens.ts";
import { getTopology } from "./topology.ts";
import { drainSome, exportSome, importSome, revealLetter } from "./transfer.ts";
import { suggestFromUnknown } from "./triage.ts";
import { listViews, removeView, saveView, shareView, unshareView } from "./views.ts";
import { listReportedBreakers, listReportedConsumers } from "./watch.ts";

/** Everything that can be asked of the office. Every door calls this table. */
export const operations = {
  "letters.list": listLetters,
  "letters.count": countMatching,
  "letters.facets": countFacets,
  "letters.get": getLetter,
  "letters.outlook": getLetterOutlook,
  "letters.matrix": getMatrix,
  "letters.drop": dropLetters,
  "letters.compensate": compensateLetters,
  "letters.settleCompensation": settleLetterCompensation,
  "letters.giveBack": giveLettersBack,
  "letters.escalate": escalateLetters,
  "letters.reopen": reopenLetters,
  "letters.classify": classifyByHand,
  "letters.tag": tagSomeLetters,
  "letters.untag": untagSomeLetters,
  "letters.searchMasked": searchMasked,
  "letters.reveal": revealLetter,
  "letters.body": letterBody,
  "letters.export": exportSome,
  "letters.import": importSome,
  "views.list": listViews,
  "views.save": saveView,
  "views.share": shareView,
  "views.remove": removeView,
  "views.unshare": unshareView,
  "edits.list": listEdits,
  "edits.preview": previewLetterEdit,
  "edits.make": editLetter,
  "groups.list": listGroups,
  "groups.get": getGroup,
  "groups.affected": getAffected,
  "groups.outage": getGroupOutage,
  "groups.common": getInCommon,
  "groups.classify": classifyGroupByHand,
  "groups.tag": tagOneGroup,
  "groups.untag": untagOneGroup,
  "groups.acknowledge": acknowledgeGroup,
  "groups.snooze": snoozeGroup,
  "groups.wake": wakeGroup,
  "groups.assign": assignGroup,
  "groups.introducedBy": introduceGroup,
  "groups.note": noteOnGroup,
  "groups.timeline": getTimeline,
  "groups.merge": mergeGroup,
  "groups.split": splitGroupByCondition,
  "groups.undo": undoGroupChange,
  "groups.preview": previewGroupChange,
  "groups.history": listGroupChanges,
  "inbox.list": listInbox,
  "queues.list": listQueues,
  "queues.duplicates": listDuplicates,
  "queues.acceptDuplicates": acceptDuplicates,
  "queues.revokeDuplicates": revokeDuplicates,
  "queues.peek": peekIntoQueue,
  "queues.drain": drainSome,
  "sources.list": listSources,
  "sources.guides": listSourceGuides,
  "sources.look": lookAtSource,
  "sources.add": addSource,
  "sources.change": changeSource,
  "sources.remove": removeSource,
  "topology.get": getTopology,
  "breakers.list": listReportedBreakers,
  "breakers.get": getBreaker,
  "breakers.force": forceBreakerOpen,
  "breakers.release": releaseBreaker,
  "breakers.probe": probeBreaker,
  "keys.list": listKeys,
  "keys.get": getKey,
  "keys.behind": countBehind,
  "keys.release": releaseKey,
  "consumers.list": listReportedConsumers,
  "alerts.list": listAlerts,
  "alerts.acknowledge": acknowledgeOneAlert,
  "alerts.rules": listAllAlertRules,
  "alerts.setRule": setAlertRule,
  "alerts.mute": muteOneAlertRule,
  "alerts.removeRule": removeOneAlertRule,
  "alerts.preview": previewAlertRule,
  "alerts.test": testAlertRule,
  "audit.list": listAudit,
  "audit.verify": verifyAuditLog,
  "report.get": getReport,
  "insights.get": getInsights,
  "status.get": getStatus,
  "status.ledger": getLedgerStatus,
  "figures.get": getFigures,
  "ids.get": wholeIdOf,
  "onlookers.look": lookOn,
  "auth.check": checkSignIn,
  "people.list": listEverybody,
  "people.add": addPersonByName,
  "people.change": changePersonByName,
  "people.join": joinIdentity,
  "people.rename": renamePersonByName,
  "roles.list": listNamedRoles,
  "roles.set": setNamedRole,
  "roles.remove": removeNamedRole,
  "tokens.list": listOwnTokens,
  "tokens.make": makeOwnToken,
  "tokens.revoke": revokeTokenById,
  "deploys.record": recordDeploy,
  "deploys.list": listRecordedDeploys,
  "fixes.record": recordFix,
  "fixes.retract": retractRecordedFix,
  "fixes.list": listRecordedFixes,
  "triage.suggest": suggestFromUnknown,
  "policy.get": showPolicy,
  "policy.protocols": listProtocols,
  "policy.history": listPolicies,
  "policy.diff": diffPolicy,
  "policy.preview": previewPolicyEffect,
  "policy.apply": applyPolicyFile,
  "retention.get": getRetention,
  "retention.apply": applyRetentionNow,
  "replays.plan": planReplays,
  "replays.get": getReplay,
  "replays.list": listAllReplays,
  "replays.items": listReplayItems,
  "replays.changes": listReplayChanges,
  "replays.history": getReplayHistory,
  "replays.drift": listReplayDrift,
  "replays.acknowledge": acknowledgeRisks,
  "replays.exclude": excludeFromReplay,
  "replays.ask": askForReplay,
  "replays.approve": approveReplay,
  "replays.reject": rejectReplay,
  "replays.revoke": revokeApproval,
  "replays.breakGlass": breakReplayGlass,
  "replays.start": startReplay,
  "replays.pause": pauseOne,
  "replays.pauseAll": pauseAllReplays,
  "replays.release": releaseReplays,
  "replays.resume": resumeReplay,
  "replays.cancel": cancelReplay,
  "replays.settle": settleReplayDoubt,
};

export type OperationName = keyof typeof operations;
export type InputOf<Name extends OperationName> = z.input<(typeof operations)[Name]["input"]>;
export type OutputOf<Name extends OperationName> = z.input<(typeof operations)[Name]["output"]>;

/** Asks for an operation by its name. */
export type Call = <Name extends OperationName>(
  name: Name,
  actor: Actor,
  input: InputOf<Name>,
) => Promise<OutputOf<Name>>;

export function callsTo(office: Office): Call {
  return <Name extends OperationName>(name: Name, actor: Actor, input: InputOf<Name>) => {
    // The compiler does not see that the name's operation has the name's input; the table says so.
    const asked = operations[name] as unknown as Operation;
    return perform(office, asked, actor, input) as Promise<OutputOf<Name>>;
  };
}
