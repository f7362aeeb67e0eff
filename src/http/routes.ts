import type { OperationName } from "../office/operations/operations.ts";

/** A method and a path below `/api/v1`; what stands in braces is part of the operation's input. */
export type Route = `${"GET" | "POST"} /${string}`;

/**
 * Where each operation is found over HTTP. A new one does not compile until it has its line here; server, OpenAPI document,
 * reference page and client are made of this table and that of the operations. What changes anything is POST.
 */
export const routes = {
  "letters.list": "GET /letters",
  "letters.count": "GET /letters/count",
  "letters.facets": "GET /letters/facets",
  "letters.get": "GET /letters/{id}",
  "letters.matrix": "GET /outcomes",
  "letters.drop": "POST /letters/drop",
  "letters.compensate": "POST /letters/compensate",
  "letters.settleCompensation": "POST /letters/{id}/settle-compensation",
  "letters.giveBack": "POST /letters/give-back",
  "letters.escalate": "POST /letters/escalate",
  "letters.reopen": "POST /letters/reopen",
  "letters.classify": "POST /letters/classify",
  "letters.reveal": "POST /letters/{id}/reveal",
  "letters.body": "POST /letters/{id}/body",
  "letters.export": "POST /letters/export",
  "letters.import": "POST /letters/import",
  "views.list": "GET /views",
  "views.save": "POST /views/{name}",
  "views.share": "POST /views/{name}/share",
  "views.remove": "POST /views/{name}/remove",
  "views.unshare": "POST /views/{name}/unshare",
  "edits.list": "GET /letters/{id}/edits",
  "edits.preview": "POST /letters/{id}/edits/preview",
  "edits.make": "POST /letters/{id}/edits",
  "groups.list": "GET /groups",
  "groups.get": "GET /groups/{id}",
  "groups.affected": "GET /groups/{id}/affected",
  "groups.classify": "POST /groups/{id}/classify",
  "groups.merge": "POST /groups/{id}/merge",
  "groups.split": "POST /groups/{id}/split",
  "groups.undo": "POST /groups/undo",
  "groups.preview": "GET /groups/{id}/preview",
  "groups.history": "GET /groups/changes",
  "inbox.list": "GET /inbox",
  "queues.list": "GET /queues",
  "queues.drain": "POST /queues/drain",
  "sources.list": "GET /sources",
  "sources.guides": "GET /sources/guides",
  "sources.look": "POST /sources/look",
  "sources.add": "POST /sources",
  "sources.change": "POST /sources/{name}",
  "sources.remove": "POST /sources/{name}/remove",
  "breakers.list": "GET /breakers",
  "consumers.list": "GET /consumers",
  "alerts.list": "GET /alerts",
  "alerts.acknowledge": "POST /alerts/{id}/acknowledge",
  "alerts.rules": "GET /alerts/rules",
  "alerts.setRule": "POST /alerts/rules/{name}",
  "alerts.mute": "POST /alerts/rules/{name}/mute",
  "alerts.removeRule": "POST /alerts/rules/{name}/remove",
  "alerts.preview": "POST /alerts/rules/{name}/preview",
  "alerts.test": "POST /alerts/rules/{name}/test",
  "audit.list": "GET /audit",
  "audit.verify": "POST /audit/verify",
  "retention.get": "GET /retention",
  "retention.apply": "POST /retention/apply",
  "replays.plan": "POST /replays",
  "replays.get": "GET /replays/{id}",
  "replays.list": "GET /replays",
  "replays.items": "GET /replays/{id}/items",
  "replays.changes": "GET /replays/{id}/changes",
  "replays.drift": "GET /replays/{id}/drift",
  "replays.acknowledge": "POST /replays/{id}/acknowledge",
  "replays.exclude": "POST /replays/{id}/exclude",
  "replays.ask": "POST /replays/{id}/ask",
  "replays.approve": "POST /replays/{id}/approve",
  "replays.reject": "POST /replays/{id}/reject",
  "replays.revoke": "POST /replays/{id}/revoke",
  "replays.breakGlass": "POST /replays/{id}/break-glass",
  "replays.start": "POST /replays/{id}/start",
  "replays.pause": "POST /replays/{id}/pause",
  "replays.pauseAll": "POST /replays/pause-all",
  "replays.release": "POST /replays/release",
  "replays.resume": "POST /replays/{id}/resume",
  "replays.cancel": "POST /replays/{id}/cancel",
  "replays.settle": "POST /replays/{id}/settle",
  "report.get": "GET /report",
  "status.get": "GET /status",
  "figures.get": "GET /figures",
  "ids.get": "GET /ids/{id}",
  "people.list": "GET /people",
  "people.add": "POST /people",
  "people.change": "POST /people/{id}",
  "people.join": "POST /people/{id}/join",
  "roles.list": "GET /roles",
  "roles.set": "POST /roles/{name}",
  "roles.remove": "POST /roles/{name}/remove",
  "tokens.list": "GET /tokens",
  "tokens.make": "POST /tokens",
  "tokens.revoke": "POST /tokens/{id}/revoke",
  "deploys.record": "POST /deploys",
  "deploys.list": "GET /deploys",
  "fixes.record": "POST /fixes",
  "fixes.retract": "POST /fixes/{id}/retract",
  "fixes.list": "GET /fixes",
  "triage.suggest": "GET /triage/suggestions",
  "policy.get": "GET /policy",
  "policy.history": "GET /policy/versions",
  "policy.diff": "POST /policy/diff",
  "policy.preview": "POST /policy/preview",
  "policy.apply": "POST /policy/versions",
} satisfies Record<OperationName, Route>;

/** What every path of the API begins with, after the base path. */
export const apiPrefix = "/api/v1";

export interface SplitRoute {
  readonly method: "GET" | "POST";
  readonly path: string;
  /** The parts in braces. */
  readonly inPath: readonly string[];
}

export function splitRoute(route: Route): SplitRoute {
  const [method, path] = route.split(" ") as ["GET" | "POST", string];
  return { method, path, inPath: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name) };
}
