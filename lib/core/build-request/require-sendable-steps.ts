import type { AllowList } from "#lib/core/address/allow-list.ts";
import { requireSendable, requireTemplates } from "#lib/core/build-request/action-rules.ts";
import { isTemplate } from "#lib/core/template/compile-template.ts";
import { invalidField } from "#lib/errors.ts";
import { type ActionStep, type AnyStep, listSteps, type StepOf } from "#lib/schema/action/steps.ts";
import { ExactNumber, type JsonValue } from "#lib/schema/field/json-value.ts";
import { publishedEventSchema } from "#lib/schema/sender/event.ts";

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
      requireTemplates(listTexts(step).map((each) => ({ ...each, path: `${at}.${each.path}` })));
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

type Text = { readonly path: string; readonly source: string };

function listTexts(step: Exclude<AnyStep, { kind: "call" }>): Text[] {
  // Checked in a thread, by `requireTransforms`.
  if (step.kind === "transform") return [];
  if (step.kind === "delay")
    return step.until === undefined ? [] : [{ path: "until", source: step.until }];
  const recipient = step.recipient === null ? [] : [{ path: "recipient", source: step.recipient }];
  return [{ path: "type", source: step.type }, ...recipient, ...listStrings(step.data, "data")];
}

function listStrings(value: JsonValue, path: string): Text[] {
  if (typeof value === "string") return [{ path, source: value }];
  if (typeof value !== "object" || value === null || value instanceof ExactNumber) return [];
  return Object.entries(value).flatMap(([key, item]) => listStrings(item, `${path}.${key}`));
}
