/**
 * The permissions of a portal link. `subscriptions:write` covers secrets and tests; `events:read`
 * covers sends and their attempts; `resend` covers retries, resends, and recovery.
 */
export const portalCapabilities = [
  "subscriptions:read",
  "subscriptions:write",
  "events:read",
  "resend",
] as const;
export type PortalCapability = (typeof portalCapabilities)[number];
