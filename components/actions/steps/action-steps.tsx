import { Card } from "#components/ui/layout/card.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { ActionStep, AnyStep } from "#lib/schema/action/steps.ts";
import { describeStep, listStepRules } from "./describe-step.ts";

/** The steps of an action, in order. What is done instead of one that failed is below it. */
export function ActionSteps({ steps }: { readonly steps: readonly ActionStep[] }) {
  return (
    <Card>
      <ol className="divide-y">
        {steps.map((step, at) => (
          <li key={step.key} className="grid gap-3 px-4 py-3">
            <Step step={step} number={String(at + 1)} />
            {typeof step.onFailure === "object" && (
              <div className="grid gap-2 border-l-2 pl-4">
                <p className="text-sm text-muted-foreground">If it fails, instead:</p>
                <ol className="grid gap-2">
                  {step.onFailure.steps.map((inner, index) => (
                    <li key={inner.key}>
                      <Step step={inner} number={`${at + 1}.${index + 1}`} />
                    </li>
                  ))}
                </ol>
              </div>
            )}
          </li>
        ))}
      </ol>
    </Card>
  );
}

function Step({ step, number }: { readonly step: AnyStep; readonly number: string }) {
  const rules = listStepRules(step);
  const text = safeText(describeStep(step));
  return (
    <div className="flex min-w-0 items-baseline gap-3">
      <span className="w-6 shrink-0 text-sm text-muted-foreground tabular-nums">{number}</span>
      <div className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="shrink-0 font-medium">{step.key}</span>
        <span className="min-w-0 flex-1 basis-64 truncate font-mono text-xs" title={text}>
          {text}
        </span>
        {rules.length > 0 && (
          <span className="text-sm text-muted-foreground">{safeText(rules.join(", "))}</span>
        )}
      </div>
    </div>
  );
}
