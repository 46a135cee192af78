import type { Tone } from "#components/ui/status/badge.tsx";
import type { AlertEvent, AlertState } from "#lib/schema/watch/alert.ts";
import type { ProblemKind, ProblemState } from "#lib/schema/watch/problem.ts";

export const stateWords: Readonly<Record<ProblemState, { name: string; tone: Tone }>> = {
  open: { name: "Open", tone: "negative" },
  acknowledged: { name: "Acknowledged", tone: "caution" },
  resolved: { name: "Resolved", tone: "positive" },
};

export const kindWords: Readonly<Record<ProblemKind, string>> = {
  action_failing: "An action fails",
  subscription_failing: "A subscription fails",
  audit_failing: "The audit log can't be sent",
  rejected: "Requests are rejected",
  silence: "A hook is silent",
  shape: "Deliveries change their shape",
  missing_events: "Events never arrived",
  disk: "The disk is nearly full",
  spool: "Deliveries wait in the spool",
  archive: "A week can't be archived",
  clock: "A clock is wrong",
  database: "PostgreSQL was away",
  registration: "A webhook can't be kept registered",
  quota: "A recipient's quota is nearly used up",
  certificate: "A client certificate expires soon",
};

export const eventWords: Readonly<Record<AlertEvent, string>> = {
  opened: "Opened",
  acknowledged: "Acknowledged",
  reminder: "Reminder",
  resolved: "Over",
  digest: "Digest",
};

export const alertStateWords: Readonly<Record<AlertState, { name: string; tone: Tone }>> = {
  held: { name: "Held", tone: "neutral" },
  waiting: { name: "Waiting", tone: "caution" },
  sent: { name: "Sent", tone: "positive" },
  failed: { name: "Failed", tone: "negative" },
  digested: { name: "In a digest", tone: "neutral" },
  dropped: { name: "Not needed", tone: "neutral" },
};
