import type { ApiScope } from "#lib/schema/account/scopes.ts";
import { routes } from "#lib/web/api/routes.ts";
import { isServed, type Route } from "#lib/web/route/route.ts";

/**
 * The first name of a path, and the kind of thing that its id names. A test fails if one is
 * missing.
 */
const things: Readonly<Record<string, Thing>> = {
  hooks: "hook",
  actions: "action",
  backtests: "backtest",
  "bulk-jobs": "job",
  credentials: "credential",
  deliveries: "delivery",
  destinations: "destination",
  erasures: "erasure",
  "erasure-rules": "erasureRule",
  events: "event",
  "event-types": "eventType",
  problems: "problem",
  accounts: "account",
  invitations: "invitation",
  members: "member",
  "alert-channels": "alertChannel",
  "alert-rules": "alertRule",
  recipients: "recipient",
  listeners: "listener",
  runs: "run",
  "saved-views": "savedView",
  subscriptions: "subscription",
};
/** Calls whose id need not exist. */
const made: Readonly<Record<string, string>> = {
  "PUT /event-types/{name}": "a.new",
  "PUT /recipients/{id}": "cust_new",
  "POST /recipients/{id}/portal-links": "cust_new",
};
export const request = { method: "POST", url: "https://example.com" };
/** Tests in server/roles/publish try the others. */
export const rows: readonly Row[] = routes.filter(isServed).map(toRow);

export type Thing =
  | "backtest"
  | "gap"
  | "hook"
  | "action"
  | "credential"
  | "destination"
  | "delivery"
  | "run"
  | "job"
  | "subscription"
  | "event"
  | "account"
  | "invitation"
  | "member"
  | "recipient"
  | "eventType"
  | "problem"
  | "alertChannel"
  | "alertRule"
  | "savedView"
  | "erasure"
  | "erasureRule"
  | "listener";
export type Row = {
  method: string;
  path: string;
  scope: ApiScope;
  of?: Thing;
  /** The id of what the call creates, which need not exist. */
  made?: string;
  body?: unknown;
};

/** A call of the table, with its example as the body or the query. */
function toRow({ method, path, scope, example }: Route): Row {
  const id = path.includes("{") ? idOf(method, path) : {};
  if (example === undefined) return { method, path, scope, ...id };
  const query = new URLSearchParams(example as Record<string, string>);
  return method === "GET"
    ? { method, path: `${path}?${query}`, scope, ...id }
    : { method, path, scope, ...id, body: example };
}

function idOf(method: string, path: string): Pick<Row, "of" | "made"> {
  const id = made[`${method} ${path}`];
  if (id !== undefined) return { made: id };
  const of = things[path.split("/")[1] ?? ""];
  return of === undefined ? {} : { of };
}
