import { alertsAckCommand, alertsListCommand } from "./alerts/alerts.ts";
import {
  alertsMuteCommand,
  alertsRemoveCommand,
  alertsRulesCommand,
  alertsSetCommand,
  alertsTestCommand,
} from "./alerts/rules.ts";
import { apiCommand } from "./api/api.ts";
import { authCheckCommand } from "./auth/check.ts";
import { cheatCommand } from "./cheat/cheat.ts";
import { checkCommand } from "./check/check.ts";
import { classifyTestCommand } from "./classify/classify-test.ts";
import { completionCommand } from "./completion/completion.ts";
import {
  contextAddCommand,
  contextCurrentCommand,
  contextListCommand,
  contextShowCommand,
  contextUseCommand,
} from "./connection/context.ts";
import { loginCommand, logoutCommand, whoamiCommand } from "./connection/login.ts";
import { openCommand } from "./connection/open.ts";
import { demoCommand } from "./demo/office.ts";
import { demoRuntimeCommand } from "./demo/runtime.ts";
import { deployListCommand, deployRecordCommand } from "./deploy/deploy.ts";
import { fixListCommand, fixRecordCommand, fixRetractCommand } from "./deploy/fix.ts";
import { dialectReadCommand } from "./dialect/read.ts";
import { doctorCommand } from "./doctor/doctor.ts";
import { editCommand } from "./edit/edit.ts";
import type { CommandTable } from "./find-command.ts";
import { auditVerifyCommand } from "./ledger/audit.ts";
import { auditExportCommand, auditListCommand } from "./ledger/audit-list.ts";
import { breakersCommand } from "./ledger/breakers.ts";
import { groupsClassifyCommand, lettersClassifyCommand } from "./ledger/classify-by-hand.ts";
import { compensateCommand } from "./ledger/compensate.ts";
import { dropCommand, escalateCommand, reopenCommand } from "./ledger/decide.ts";
import { drainCommand } from "./ledger/drain.ts";
import { queuesAcceptDuplicatesCommand, queuesRevokeDuplicatesCommand } from "./ledger/duplicates.ts";
import { exportCommand } from "./ledger/export.ts";
import { giveBackCommand } from "./ledger/give-back.ts";
import { groupsCommonCommand, groupsShowCommand } from "./ledger/group.ts";
import {
  groupsHistoryCommand,
  groupsMergeCommand,
  groupsSplitCommand,
  groupsUndoCommand,
} from "./ledger/group-changes.ts";
import {
  groupsAckCommand,
  groupsAssignCommand,
  groupsIntroducedByCommand,
  groupsNoteCommand,
  groupsSnoozeCommand,
  groupsWakeCommand,
} from "./ledger/group-words.ts";
import { groupsListCommand, inboxCommand } from "./ledger/groups.ts";
import { importCommand } from "./ledger/import.ts";
import { keysListCommand, keysReleaseCommand, keysShowCommand } from "./ledger/keys.ts";
import { letterCommand } from "./ledger/letter.ts";
import { letterBodyCommand } from "./ledger/letter-body.ts";
import { lettersHistoryCommand } from "./ledger/letter-history.ts";
import { lettersCommand } from "./ledger/letters.ts";
import { lettersTailCommand } from "./ledger/letters-tail.ts";
import { matrixCommand } from "./ledger/matrix.ts";
import { queuesShowCommand } from "./ledger/queue.ts";
import { queuesPauseCommand, queuesResumeCommand } from "./ledger/queue-modes.ts";
import { queuesPeekCommand } from "./ledger/queue-peek.ts";
import { queuesCommand } from "./ledger/queues.ts";
import { retentionApplyCommand, retentionShowCommand } from "./ledger/retention.ts";
import {
  breakersForceCommand,
  breakersProbeCommand,
  breakersReleaseCommand,
  breakersShowCommand,
} from "./ledger/steer-breaker.ts";
import { groupsTagCommand, groupsUntagCommand, lettersTagCommand, lettersUntagCommand } from "./ledger/tags.ts";
import { peopleJoinCommand, peopleListCommand, peopleRenameCommand } from "./people/people.ts";
import { policyApplyCommand } from "./policy/policy-apply.ts";
import { policyDiffCommand } from "./policy/policy-diff.ts";
import { policyHistoryCommand, policyShowCommand } from "./policy/policy-history.ts";
import { policyLintCommand } from "./policy/policy-lint.ts";
import { policyListCommand } from "./policy/policy-list.ts";
import { policyTestCommand } from "./policy/policy-test.ts";
import { rehearseCommand } from "./rehearse/rehearse.ts";
import { approvalsListCommand, approvalsShowCommand } from "./replay/approvals.ts";
import { replayChangesCommand } from "./replay/changes.ts";
import {
  replayAcknowledgeCommand,
  replayApproveCommand,
  replayAskCommand,
  replayBreakGlassCommand,
  replayCancelCommand,
  replayExcludeCommand,
  replayPauseCommand,
  replayRejectCommand,
  replayReleaseCommand,
  replayResumeCommand,
  replayRevokeCommand,
  replaySettleCommand,
} from "./replay/decide.ts";
import { replayDriftCommand } from "./replay/drift.ts";
import { replayHistoryCommand } from "./replay/history.ts";
import { replayItemsCommand, replayListCommand, replayShowCommand } from "./replay/look.ts";
import { replayPlanCommand } from "./replay/plan.ts";
import { replayRunCommand, replayWatchCommand } from "./replay/run.ts";
import { insightsCommand } from "./report/insights.ts";
import { reportCommand } from "./report/report.ts";
import { backupCommand, restoreCommand } from "./server/backup.ts";
import { migrateCommand } from "./server/migrate.ts";
import { upCommand } from "./server/up.ts";
import { simulateCapacityCommand } from "./simulate/capacity.ts";
import { simulateContentionCommand } from "./simulate/contention.ts";
import { simulateOutageCommand } from "./simulate/outage.ts";
import { simulateRetryCommand } from "./simulate/retry.ts";
import { sourcesAddCommand } from "./sources/add.ts";
import { sourcesDiscoverCommand } from "./sources/discover.ts";
import { sourcesListCommand } from "./sources/list.ts";
import { sourcesRemoveCommand } from "./sources/remove.ts";
import { sourcesTestCommand } from "./sources/try-out.ts";
import { statusCommand } from "./status/status.ts";
import { topCommand } from "./top/top.ts";
import { topologyCommand } from "./topology/topology.ts";
import { triageSuggestCommand } from "./triage/suggest.ts";
import { viewsListCommand, viewsRemoveCommand, viewsSaveCommand } from "./views/views.ts";

/** Every command there is. A new one is a file of its own and a line here. */
export const commandTable: CommandTable = {
  groups: {
    approvals: "plans that wait for somebody's yes",
    alerts: "what is wrong by rules of yours, and who is told",
    auth: "sign-in at an identity provider",
    audit: "the log of who did what",
    context: "the offices you use, by names of your own",
    classify: "what failures are, and why",
    deploy: "versions that are live, for letters the one before did not understand",
    fix: "what was mended, for letters that a bug broke",
    groups: "letters that failed alike: looked at, attended to, classified, merged, split",
    letters: "what the office holds: found, looked at, decided about, moved",
    queues: "where it hurts, queue by queue",
    breakers: "whether the dependencies of consumers are back",
    keys: "keys of ordered queues that wait behind a dead letter",
    dialect: "dead letters that other people's libraries made",
    retention: "letters past their time",
    replay: "letters back into their queues, planned, approved, watched",
    sources: "the brokers to look after: list, add, test, discover, remove",
    people: "who can sign in, and by which name",
    policy: "rules of your own, and what may be done with letters",
    views: "searches by names of your own",
    triage: "letters that nobody knows what they are",
    simulate: "what a retry policy does to a struggling service, before it is deployed",
  },
  commands: [
    demoRuntimeCommand,
    demoCommand,
    upCommand,
    migrateCommand,
    backupCommand,
    restoreCommand,
    loginCommand,
    logoutCommand,
    whoamiCommand,
    authCheckCommand,
    contextListCommand,
    contextAddCommand,
    contextUseCommand,
    contextShowCommand,
    contextCurrentCommand,
    drainCommand,
    inboxCommand,
    topCommand,
    statusCommand,
    checkCommand,
    reportCommand,
    insightsCommand,
    groupsListCommand,
    groupsShowCommand,
    groupsCommonCommand,
    groupsAckCommand,
    groupsSnoozeCommand,
    groupsWakeCommand,
    groupsAssignCommand,
    groupsIntroducedByCommand,
    groupsNoteCommand,
    groupsClassifyCommand,
    groupsTagCommand,
    groupsUntagCommand,
    groupsMergeCommand,
    groupsSplitCommand,
    groupsUndoCommand,
    groupsHistoryCommand,
    queuesCommand,
    queuesShowCommand,
    queuesAcceptDuplicatesCommand,
    queuesRevokeDuplicatesCommand,
    queuesPeekCommand,
    queuesPauseCommand,
    queuesResumeCommand,
    topologyCommand,
    breakersCommand,
    breakersShowCommand,
    breakersForceCommand,
    breakersReleaseCommand,
    breakersProbeCommand,
    keysListCommand,
    keysShowCommand,
    keysReleaseCommand,
    alertsListCommand,
    alertsAckCommand,
    alertsRulesCommand,
    alertsSetCommand,
    alertsMuteCommand,
    alertsRemoveCommand,
    alertsTestCommand,
    lettersCommand,
    letterCommand,
    lettersClassifyCommand,
    lettersTagCommand,
    lettersUntagCommand,
    lettersHistoryCommand,
    lettersTailCommand,
    letterBodyCommand,
    dropCommand,
    compensateCommand,
    giveBackCommand,
    escalateCommand,
    reopenCommand,
    importCommand,
    exportCommand,
    viewsListCommand,
    viewsSaveCommand,
    viewsRemoveCommand,
    editCommand,
    replayPlanCommand,
    replayListCommand,
    replayShowCommand,
    replayItemsCommand,
    replayChangesCommand,
    replayDriftCommand,
    replayHistoryCommand,
    replayAcknowledgeCommand,
    replayExcludeCommand,
    replayAskCommand,
    replayApproveCommand,
    replayRejectCommand,
    replayRevokeCommand,
    replayBreakGlassCommand,
    replayRunCommand,
    replayWatchCommand,
    replayPauseCommand,
    replayReleaseCommand,
    replayResumeCommand,
    replayCancelCommand,
    replaySettleCommand,
    approvalsListCommand,
    approvalsShowCommand,
    rehearseCommand,
    auditListCommand,
    auditExportCommand,
    auditVerifyCommand,
    retentionShowCommand,
    retentionApplyCommand,
    classifyTestCommand,
    matrixCommand,
    dialectReadCommand,
    deployRecordCommand,
    deployListCommand,
    fixRecordCommand,
    fixRetractCommand,
    fixListCommand,
    triageSuggestCommand,
    policyLintCommand,
    policyTestCommand,
    policyDiffCommand,
    policyApplyCommand,
    policyHistoryCommand,
    policyListCommand,
    policyShowCommand,
    peopleListCommand,
    peopleRenameCommand,
    peopleJoinCommand,
    simulateRetryCommand,
    simulateContentionCommand,
    simulateOutageCommand,
    simulateCapacityCommand,
    doctorCommand,
    sourcesListCommand,
    sourcesAddCommand,
    sourcesTestCommand,
    sourcesDiscoverCommand,
    sourcesRemoveCommand,
    openCommand,
    apiCommand,
    cheatCommand,
    completionCommand(() => commandTable),
  ],
};
