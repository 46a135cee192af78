/** What an erasure is, and where it looks, for everyone who needs no zod. */

export const erasureModes = ["redact", "delete"] as const;
export type ErasureMode = (typeof erasureModes)[number];

/** A value of fewer characters is in too much that is about others. */
export const minErasedChars = 4;
export const maxErasedChars = 254;
/** The values of one erasure. */
export const maxErasedValues = 20;

export const erasureStatuses = ["running", "finished", "cancelled"] as const;
export type ErasureStatus = (typeof erasureStatuses)[number];

/** Where rows with payloads are: these are changed. */
export const erasedPlaces = [
  "deliveries",
  "events",
  "runs",
  "queue",
  "attempts",
  "run_steps",
  "replies",
  "listener_responses",
  "backtests",
  "backtest_results",
  "gaps",
  "shapes",
  "problems",
  "notices",
  "alert_attempts",
  "bulk_jobs",
  "saved_views",
  "stored_responses",
  "drafts",
  "usage",
] as const;
export type ErasedPlace = (typeof erasedPlaces)[number];

/** What people have set up, and the audit log: a value there is counted, and stays. */
const namedPlaces = [
  "account",
  "hooks",
  "actions",
  "action_versions",
  "destinations",
  "credentials",
  "event_types",
  "subscriptions",
  "recipients",
  "alert_channels",
  "listeners",
  "members",
  "api_tokens",
  "audit_log",
] as const;
export type NamedPlace = (typeof namedPlaces)[number];

export const erasurePlaces = [...erasedPlaces, "archive", ...namedPlaces] as const;
export type ErasurePlace = (typeof erasurePlaces)[number];
