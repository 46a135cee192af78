import type { TransformResult } from "#lib/core/mapping/transform/transform.ts";
import type { StepKind, StepOutcome } from "./step-kind.ts";

/** Its code reads the delivery and earlier results itself, so only its condition is evaluated. */
export const prepareTransform: StepKind<"transform"> = async ({ code }, needs) => {
  const made = await needs.value(null, "");
  return made.kind === "ready" ? { kind: "ready", value: { kind: "transform", code } } : made;
};

export function toTransformOutcome(result: TransformResult): StepOutcome {
  if (result.ok) return { state: "succeeded", value: result.value };
  const { message, line, column } = result;
  const place = line === null || column === null ? null : { line, column };
  const at = place === null ? "" : `line ${place.line}, column ${place.column}: `;
  return {
    state: "failed",
    code: `transform_${result.code}`,
    message: `${at}${message}`,
    errors: [{ path: "code", code: "invalid_value", message, ...place }],
  };
}
