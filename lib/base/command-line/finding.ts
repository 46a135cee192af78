import { alignRows } from "./help.ts";

/** The result of one check of a `doctor`. */
export type Finding = {
  readonly check: string;
  readonly level: "ok" | "warning" | "error";
  /** One sentence about what it found. */
  readonly message: string;
  /** One sentence that says what to change. Null: nothing. */
  readonly change: string | null;
};

/** A finding without the name of its check, which the table of checks adds. */
export type Result = Omit<Finding, "check">;

export function ok(message: string): Result {
  return { level: "ok", message, change: null };
}

export function warning(message: string, change: string): Result {
  return { level: "warning", message, change };
}

export function failure(message: string, change: string): Result {
  return { level: "error", message, change };
}

const signs = { ok: "✓", warning: "!", error: "✗" } as const;

/**
 * A line that says what was checked, one for each finding, the texts aligned, and below it what to change.
 * Pure.
 */
export function formatFindings(checked: string, findings: readonly Finding[]): string {
  const rows = findings.flatMap(({ check, level, message, change }) => [
    [`${signs[level]} ${check}`, message] as const,
    ...(change === null ? [] : [["", `→ ${change}`] as const]),
  ]);
  return [checked, "", ...alignRows(rows), "", `  ${summarize(findings)}`].join("\n");
}

function summarize(findings: readonly Finding[]): string {
  const errors = findings.filter(({ level }) => level === "error").length;
  const warnings = findings.filter(({ level }) => level === "warning").length;
  if (errors + warnings === 0) return "Nothing to change.";
  return `${count(errors, "error")}, ${count(warnings, "warning")}.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
