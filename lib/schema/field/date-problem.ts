import { ExactNumber } from "./json-value.ts";

/** The reason why a value can't be read as a date: `"soon", which is not a date: use …`. */
export type DateProblem = {
  readonly ok: false;
  /** A clause that follows the value. */
  readonly because: string;
  /** The fix, as a clause. */
  readonly advice: string;
};

export type ReadDate = { readonly ok: true; readonly ms: number } | DateProblem;

export function noDate(because: string, advice: string): DateProblem {
  return { ok: false, because, advice };
}

export const notDate = noDate(
  "which is not a date",
  "use a form such as 2026-11-21T10:00:00Z, or a Unix time",
);
export const ambiguous = noDate(
  "whose day and month can't be told apart",
  "bring it to a form such as 2026-11-21 first",
);
export const noSuchTime = noDate(
  "which is a time that doesn't exist",
  "correct it where it is sent, or use another field",
);

/** A sentence's middle that names the value, the reason, and the way out. */
export function describeDateProblem(value: unknown, { because, advice }: DateProblem): string {
  return `${showValue(value)}, ${because}: ${advice}`;
}

const maxShownChars = 60;

function showValue(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(
      value.length > maxShownChars ? `${value.slice(0, maxShownChars)}…` : value,
    );
  if (Array.isArray(value)) return "a list";
  if (value instanceof ExactNumber) return value.toString().slice(0, maxShownChars);
  return typeof value === "object" && value !== null ? "an object" : String(value);
}
