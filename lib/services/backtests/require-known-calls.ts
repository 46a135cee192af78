import { invalidInput } from "#lib/core/input/parse-input.ts";
import type { ActionWork } from "#lib/db/actions/action-work.ts";
import { onlyCallKey } from "#lib/schema/action/step-limits.ts";
import { listCalls } from "#lib/schema/action/steps.ts";
import type { BacktestSet } from "#lib/schema/backtest.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";

/** A response for a call that doesn't exist is a misspelled key, and would distort the result. */
export function requireKnownCalls(
  responses: BacktestSet["responses"],
  { steps }: ActionWork,
): void {
  const keys = steps === null ? [onlyCallKey] : listCalls(steps).map(({ step }) => step.key);
  const errors = Object.keys(responses).flatMap((key): FieldError[] => {
    if (keys.includes(key)) return [];
    const message = `the draft has no call with the key ${key}. It has ${keys.join(", ") || "none"}`;
    return [{ path: `responses.${key}`, code: "not_found", message }];
  });
  if (errors.length > 0) throw invalidInput(errors);
}
