import { describeSpan } from "#components/ui/time/describe-span.ts";
import type { AnyStep } from "#lib/schema/action/steps.ts";

/** What a step does, in a few words. */
export function describeStep(step: AnyStep): string {
  switch (step.kind) {
    case "call":
      return `${step.request.method} ${step.request.url}`;
    case "delay":
      return step.ms === undefined ? `waits until ${step.until}` : `waits ${describeSpan(step.ms)}`;
    case "transform":
      return "runs JavaScript";
    case "publish":
      return `publishes ${step.type}`;
    default:
      return step satisfies never;
  }
}

/** How a step differs from one that is done once, always, and stops the run if it fails. */
export function listStepRules({ when, forEach, onFailure }: AnyStep): string[] {
  const rules: string[] = [];
  if (when !== null) rules.push("only if its condition holds");
  if (forEach !== null) {
    const pace = forEach.parallel === 1 ? "in order" : `${forEach.parallel} at once`;
    rules.push(`for each of ${forEach.path}, ${pace}`);
  }
  if (onFailure === "continue") rules.push("goes on if it fails");
  return rules;
}
