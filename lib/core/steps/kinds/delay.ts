import { readTemplateDate } from "#lib/core/mapping/template/date-filters.ts";
import { readValue } from "#lib/core/mapping/template/render-value.ts";
import { describeDateProblem } from "#lib/schema/field/date-problem.ts";
import type { StepEffect, StepKind, StepProblem } from "./step-kind.ts";

export const prepareDelay: StepKind<"delay"> = async ({ ms, until = null }, needs) => {
  const made = await needs.value(until, "until");
  if (made.kind !== "ready") return made;
  return { kind: "ready", value: { kind: "delay", ms, until: readValue(made.value) } };
};

const maxDelayMs = 30 * 86_400_000;

type DelayEffect = Extract<StepEffect, { kind: "delay" }>;

type ReadDelay =
  | { readonly ok: true; readonly delayMs: number }
  | ({ readonly ok: false } & StepProblem);

/** The time that a step waits from now on. */
export function readDelay({ ms, until }: DelayEffect, nowMs: number): ReadDelay {
  const read = ms === undefined ? readTemplateDate(until, nowMs) : null;
  if (read?.ok === false) return reject(`can't read ${describeDateProblem(until, read)}`);
  // A time in the past counts as now.
  const delayMs = read === null ? (ms ?? 0) : Math.max(0, Math.round(read.ms - nowMs));
  if (delayMs > maxDelayMs) return reject("the time must be at most 30 days from now");
  return { ok: true, delayMs };
}

function reject(message: string): ReadDelay {
  const errors = [{ path: "until", code: "invalid_value", message }] as const;
  return { ok: false, code: "time_invalid", message: `until: ${message}`, errors };
}
