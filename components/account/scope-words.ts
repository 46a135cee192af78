import type { ApiScope } from "#lib/schema/account/scopes.ts";

/** The scopes of a token, in words. */
export const scopeWords: Readonly<Record<ApiScope, string>> = {
  "hooks:read": "View hooks and actions",
  "hooks:write": "Edit hooks, secrets, and actions",
  "deliveries:read": "View deliveries and runs",
  "deliveries:write": "Replay deliveries, and retry or cancel runs",
  "events:read": "View published events",
  "events:write": "Publish events and resend them",
  "subscriptions:read": "View subscriptions, event types, and recipients",
  "subscriptions:write": "Edit subscriptions, event types, and recipients",
  "callbacks:write": "Have published events sent to itself",
  "members:read": "View members and invitations",
  "members:write": "Invite, change, and remove members",
  "alerts:read": "View alert channels and rules",
  "alerts:write": "Edit alert channels and rules, and send tests",
  "audit:read": "View the audit log",
  "audit:write": "Change where the audit log is sent",
  "configuration:read": "Export the configuration, and compare files with it",
  "configuration:write":
    "Apply a configuration: hooks, credentials, receivers, alerts, and settings",
  "erasures:read": "View erasures",
  "erasures:write": "Forget a person: find, redact, and delete what is about them",
  "account:read": "View accounts",
  "account:write": "Rename the account, and create others",
};
