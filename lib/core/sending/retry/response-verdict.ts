import { evaluateFilter } from "#lib/core/mapping/filter/evaluate-filter.ts";
import { FilterFault } from "#lib/core/mapping/filter/filter-fault.ts";
import { TemplateFault } from "#lib/core/mapping/template/render-budget.ts";
import { readResponseParts, type StepResponse } from "#lib/core/steps/step-result.ts";
import type { SuccessRule } from "#lib/schema/act/success.ts";

/** The verdict on a complete response. */
export type ResponseVerdict =
  | { readonly isSuccess: true }
  /** A clause that follows "but". Null: the status is enough. */
  | { readonly isSuccess: false; readonly because: string | null };

type Judging = {
  /** Secrets in plain text. The reason must not show them, even if the response repeats them. */
  readonly secretValues: readonly string[];
  readonly nowMs: number;
};

/** Evaluates a response by the success rule of its action or step. */
export function evaluateResponse(
  { statuses, when }: SuccessRule,
  response: StepResponse,
  { secretValues, nowMs }: Judging,
): ResponseVerdict {
  const { status } = response;
  if (!isListed(status, statuses ?? ["2xx"])) {
    const isSurprising = status >= 200 && status < 300;
    const because = `the status must be ${(statuses ?? []).join(" or ")}`;
    return { isSuccess: false, because: isSurprising ? because : null };
  }
  if (when === null) return { isSuccess: true };
  const { headers, body } = readResponseParts(response, secretValues);
  const names = new Map<string | number, unknown>(Object.entries({ status, headers, body }));
  try {
    const context = { readName: (name: string | number) => names.get(name) };
    const verdict = evaluateFilter(when, context, { nowMs });
    return verdict.matches ? { isSuccess: true } : { isSuccess: false, because: verdict.because };
  } catch (error) {
    if (error instanceof FilterFault) return { isSuccess: false, because: error.message };
    if (!(error instanceof TemplateFault)) throw error;
    return { isSuccess: false, because: "it is too large for the success rule" };
  }
}

function isListed(status: number, statuses: NonNullable<SuccessRule["statuses"]>): boolean {
  return statuses.some((each) =>
    typeof each === "number" ? each === status : each === `${Math.floor(status / 100)}xx`,
  );
}
