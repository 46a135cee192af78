import { invalidField } from "#lib/base/errors.ts";
import { isTemplate } from "#lib/core/mapping/template/compile-template.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { type ActionStep, listSteps, type StepOf } from "#lib/schema/act/steps.ts";
import { publishedEventSchema } from "#lib/schema/send/event.ts";
import { listStepTemplates } from "../list-templates.ts";
import { requireSendable, requireTemplates } from "./action-rules.ts";

/**
 * Throws `template_invalid` (with path, line, and column) or `invalid_request` if a step could
 * never succeed.
 */
export function requireSendableSteps(steps: readonly ActionStep[], allowList: AllowList): void {
  for (const { step, path } of listSteps(steps)) {
    const at = ["steps", ...path].join(".");
    if (step.kind === "call") {
      const { auth: _apart, ...request } = step.request;
      requireSendable(request, allowList, `${at}.request`);
    } else
      requireTemplates(
        listStepTemplates(step).map((each) => ({ ...each, path: `${at}.${each.path}` })),
      );
    if (step.kind === "publish") requirePublishable(step, at);
  }
}

/** Text without templates must be valid as it is. Otherwise every run would fail. */
function requirePublishable({ type, recipient }: StepOf<"publish">, at: string): void {
  const { shape } = publishedEventSchema;
  for (const [name, value] of Object.entries({ type, recipient })) {
    if (value === null || isTemplate(value)) continue;
    const problem = shape[name as "type" | "recipient"].safeParse(value).error?.issues[0];
    if (problem !== undefined) throw invalidField(`${at}.${name}`, problem.message);
  }
}
