import type { ApiScope } from "#lib/schema/account/api-token.ts";
import { exportFormat } from "#lib/schema/action/transfer.ts";

/** Answered by the process that also catches deliveries. Its tests are in server/roles/publish. */
export const listenerRows = [
  { method: "POST", path: "/events" },
  { method: "POST", path: "/events/batch" },
];

/**
 * Every REST API route × every caller who must not use it. A route missing from this table fails
 * the first test, so that no route is added untested.
 */
export const request = { method: "POST", url: "https://example.com" };
export const rows: readonly Row[] = [
  { method: "POST", path: "/hooks", scope: "hooks:write", body: { name: "n" } },
  { method: "GET", path: "/hooks", scope: "hooks:read" },
  { method: "GET", path: "/hooks/{id}", scope: "hooks:read", of: "hook" },
  {
    method: "PATCH",
    path: "/hooks/{id}",
    scope: "hooks:write",
    of: "hook",
    body: { name: "stolen" },
  },
  { method: "DELETE", path: "/hooks/{id}", scope: "hooks:write", of: "hook" },
  {
    method: "POST",
    path: "/hooks/{id}/secrets",
    scope: "hooks:write",
    of: "hook",
    body: { secret: "whsec_0123456789" },
  },
  { method: "POST", path: "/hooks/{id}/catch-url", scope: "hooks:write", of: "hook" },
  { method: "DELETE", path: "/hooks/{id}/previous-catch-urls", scope: "hooks:write", of: "hook" },
  { method: "POST", path: "/hooks/{id}/test", scope: "hooks:write", of: "hook" },
  { method: "POST", path: "/hooks/{id}/pause", scope: "hooks:write", of: "hook" },
  { method: "POST", path: "/hooks/{id}/resume", scope: "hooks:write", of: "hook" },
  { method: "POST", path: "/hooks/{id}/verify-pending", scope: "hooks:write", of: "hook" },
  { method: "GET", path: "/hooks/{id}/arrived-secret", scope: "hooks:write", of: "hook" },
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
  ...(["credential", "destination"] as const).flatMap((of): Row[] => [
    {
      method: "POST",
      path: `/${of}s`,
      scope: "hooks:write",
      body: {
        name: "n",
        origin: "https://example.com",
        ...(of === "credential" ? { auth: { type: "bearer", token: "0123456789abcdef" } } : {}),
      },
    },
    { method: "GET", path: `/${of}s`, scope: "hooks:read" },
    { method: "GET", path: `/${of}s/{id}`, scope: "hooks:read", of },
    { method: "PATCH", path: `/${of}s/{id}`, scope: "hooks:write", of, body: { name: "stolen" } },
    { method: "DELETE", path: `/${of}s/{id}`, scope: "hooks:write", of },
  ]),
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
  {
    method: "POST",
    path: "/actions/{id}/backtests",
    scope: "hooks:write",
    of: "action",
    body: {},
  },
  { method: "GET", path: "/actions/{id}/backtests", scope: "deliveries:read", of: "action" },
  {
    method: "POST",
    path: "/hooks/{id}/backtests",
    scope: "hooks:write",
    of: "hook",
    body: { draft: { name: "n", request } },
  },
  { method: "GET", path: "/backtests/{id}", scope: "deliveries:read", of: "backtest" },
  { method: "GET", path: "/backtests/{id}/results", scope: "deliveries:read", of: "backtest" },
  { method: "POST", path: "/backtests/{id}/cancel", scope: "hooks:write", of: "backtest" },
  { method: "GET", path: "/deliveries", scope: "deliveries:read" },
  { method: "GET", path: "/deliveries/{id}", scope: "deliveries:read", of: "delivery" },
  { method: "GET", path: "/deliveries/{id}/why", scope: "deliveries:read", of: "delivery" },
  { method: "DELETE", path: "/deliveries/{id}", scope: "deliveries:write", of: "delivery" },
  { method: "POST", path: "/deliveries/{id}/diagnose", scope: "deliveries:read", of: "delivery" },
  { method: "POST", path: "/deliveries/{id}/replay", scope: "deliveries:write", of: "delivery" },
  { method: "POST", path: "/deliveries/{id}/accept", scope: "deliveries:write", of: "delivery" },
  {
    method: "POST",
    path: "/deliveries/accept",
    scope: "deliveries:write",
    body: { filter: { status: "rejected" } },
  },
  { method: "GET", path: "/runs", scope: "deliveries:read" },
  { method: "GET", path: "/runs/{id}", scope: "deliveries:read", of: "run" },
  { method: "POST", path: "/runs/{id}/retry", scope: "deliveries:write", of: "run" },
  { method: "POST", path: "/runs/{id}/cancel", scope: "deliveries:write", of: "run" },
  {
    method: "POST",
    path: "/runs/{id}/resolve",
    scope: "deliveries:write",
    of: "run",
    body: { step: "a", as: "repeat" },
  },
  {
    method: "POST",
    path: "/runs/retry",
    scope: "deliveries:write",
    body: { filter: { status: "failed" } },
  },
  {
    method: "POST",
    path: "/runs/cancel",
    scope: "deliveries:write",
    body: { filter: { status: "queued" } },
  },
  { method: "GET", path: "/bulk-jobs", scope: "deliveries:read" },
  { method: "GET", path: "/providers", scope: "hooks:read" },
  { method: "GET", path: "/bulk-jobs/{id}", scope: "deliveries:read", of: "job" },
  { method: "POST", path: "/bulk-jobs/{id}/cancel", scope: "deliveries:write", of: "job" },
  { method: "POST", path: "/bulk-jobs/{id}/pause", scope: "deliveries:write", of: "job" },
  { method: "POST", path: "/bulk-jobs/{id}/resume", scope: "deliveries:write", of: "job" },
  {
    method: "POST",
    path: "/deliveries/replay",
    scope: "deliveries:write",
    body: { filter: { hookId: "x" } },
  },
  {
    method: "POST",
    path: "/subscriptions",
    scope: "subscriptions:write",
    body: { receiverUrl: "https://example.com/in" },
  },
  { method: "GET", path: "/subscriptions", scope: "subscriptions:read" },
  ...(["GET", "PATCH", "DELETE"] as const).map((method) => ({
    method,
    path: "/subscriptions/{id}",
    scope: method === "GET" ? ("subscriptions:read" as const) : ("subscriptions:write" as const),
    of: "subscription" as const,
    ...(method === "PATCH" ? { body: { description: "stolen" } } : {}),
  })),
  ...["secrets", "test", "enable", "disable"].map((part) => ({
    method: "POST",
    path: `/subscriptions/{id}/${part}`,
    scope: "subscriptions:write" as const,
    of: "subscription" as const,
  })),
  ...["recover", "replay-missing"].map((part) => ({
    method: "POST",
    path: `/subscriptions/{id}/${part}`,
    scope: "subscriptions:write" as const,
    of: "subscription" as const,
    body: { since: "2026-11-21" },
  })),
  { method: "GET", path: "/events", scope: "events:read" },
  { method: "GET", path: "/events/{id}", scope: "events:read", of: "event" },
  { method: "POST", path: "/events/{id}/resend", scope: "events:write", of: "event" },
  { method: "GET", path: "/event-types", scope: "subscriptions:read" },
  { method: "GET", path: "/event-types/{name}", scope: "subscriptions:read", of: "eventType" },
  { method: "PUT", path: "/event-types/{name}", scope: "subscriptions:write", made: "a.new" },
  { method: "DELETE", path: "/event-types/{name}", scope: "subscriptions:write", of: "eventType" },
  {
    method: "POST",
    path: "/event-types/import",
    scope: "subscriptions:write",
    body: { document: { openapi: "3.1.0", webhooks: { a: { post: {} } } } },
  },
  { method: "GET", path: "/recipients", scope: "subscriptions:read" },
  { method: "GET", path: "/recipients/{id}", scope: "subscriptions:read", of: "recipient" },
  { method: "PUT", path: "/recipients/{id}", scope: "subscriptions:write", made: "cust_new" },
  { method: "DELETE", path: "/recipients/{id}", scope: "subscriptions:write", of: "recipient" },
  {
    method: "GET",
    path: "/recipients/{id}/portal-links",
    scope: "subscriptions:read",
    of: "recipient",
  },
  {
    method: "POST",
    path: "/recipients/{id}/portal-links",
    scope: "subscriptions:write",
    made: "cust_new",
  },
  {
    method: "DELETE",
    path: "/recipients/{id}/portal-links",
    scope: "subscriptions:write",
    of: "recipient",
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
