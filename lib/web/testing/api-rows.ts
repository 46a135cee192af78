import type { ApiScope } from "#lib/schema/account/api-token.ts";
import { exportFormat } from "#lib/schema/action/transfer.ts";
import { isServed, type Route } from "#lib/web/rest/route/route.ts";
import { routes } from "#lib/web/rest/routes.ts";

/**
 * Every REST API route × every caller who must not use it. A route missing from this table fails
 * the first test, so that no route is added untested.
 */
const things: Readonly<Record<string, Thing>> = {
  hooks: "hook",
  actions: "action",
  backtests: "backtest",
  "bulk-jobs": "job",
  credentials: "credential",
  deliveries: "delivery",
  destinations: "destination",
  events: "event",
  "event-types": "eventType",
  recipients: "recipient",
  runs: "run",
  subscriptions: "subscription",
};
/** Calls whose id need not exist. */
const made: Readonly<Record<string, string>> = {
  "PUT /event-types/{name}": "a.new",
  "PUT /recipients/{id}": "cust_new",
  "POST /recipients/{id}/portal-links": "cust_new",
};
export const request = { method: "POST", url: "https://example.com" };
export const rows: readonly Row[] = [
  // Tests in server/roles/publish try the others.
  ...routes.filter(isServed).map(toRow),
  { method: "GET", path: "/hooks/{id}/actions", scope: "hooks:read", of: "hook" },
  {
    method: "POST",
    path: "/hooks/{id}/actions",
    scope: "hooks:write",
    of: "hook",
    body: { name: "n", request },
  },
  { method: "GET", path: "/actions/{id}", scope: "hooks:read", of: "action" },
  {
    method: "PATCH",
    path: "/actions/{id}",
    scope: "hooks:write",
    of: "action",
    body: { name: "stolen" },
  },
  { method: "DELETE", path: "/actions/{id}", scope: "hooks:write", of: "action" },
  {
    method: "POST",
    path: "/actions/{id}/preview",
    scope: "hooks:read",
    of: "action",
    body: { payload: {} },
  },
  {
    method: "POST",
    path: "/hooks/{id}/actions/import",
    scope: "hooks:write",
    of: "hook",
    body: { format: exportFormat, name: "n", request },
  },
  { method: "POST", path: "/actions/{id}/duplicate", scope: "hooks:write", of: "action" },
  { method: "GET", path: "/actions/{id}/export", scope: "hooks:read", of: "action" },
  { method: "POST", path: "/actions/{id}/breaker/close", scope: "hooks:write", of: "action" },
  { method: "GET", path: "/actions/{id}/versions", scope: "hooks:read", of: "action" },
  { method: "GET", path: "/actions/{id}/versions/{number}", scope: "hooks:read", of: "action" },
  {
    method: "POST",
    path: "/actions/{id}/versions/{number}/restore",
    scope: "hooks:write",
    of: "action",
  },
];

export type Thing =
  | "backtest"
  | "hook"
  | "action"
  | "credential"
  | "destination"
  | "delivery"
  | "run"
  | "job"
  | "subscription"
  | "event"
  | "recipient"
  | "eventType";
export type Row = {
  method: string;
  path: string;
  scope: ApiScope;
  of?: Thing;
  /** The id of what the call creates, which need not exist. */
  made?: string;
  body?: unknown;
};

/** A call of the table, with its example as the body. */
function toRow({ method, path, scope, example }: Route): Row {
  const id = path.includes("{") ? idOf(method, path) : {};
  return { method, path, scope, ...id, ...(example === undefined ? {} : { body: example }) };
}

function idOf(method: string, path: string): Pick<Row, "of" | "made"> {
  const id = made[`${method} ${path}`];
  if (id !== undefined) return { made: id };
  const of = things[path.split("/")[1] ?? ""];
  return of === undefined ? {} : { of };
}
