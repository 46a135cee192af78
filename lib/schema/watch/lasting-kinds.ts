import type { ProblemKind } from "./problem.ts";

/** Kinds that have no occurrences to count: they begin once, and last until they are over. */
export const lastingKinds: readonly ProblemKind[] = [
  "silence",
  "missing_events",
  "disk",
  "spool",
  "archive",
  "clock",
  "database",
  "registration",
  "quota",
  "certificate",
];
