import type { ApiScope } from "#lib/schema/api-token.ts";

/** What a token may do, for people. */
export const scopeWords: Readonly<Record<ApiScope, string>> = {
  "hooks:read": "See hooks and actions",
  "hooks:write": "Change hooks, secrets and actions",
  "deliveries:read": "See deliveries and runs",
  "deliveries:write": "Replay deliveries, retry and cancel runs",
  "events:read": "See events and subscriptions",
  "events:write": "Publish events, change subscriptions",
};
