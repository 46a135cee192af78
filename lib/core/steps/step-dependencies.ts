import type { AnyStep } from "#lib/schema/act/steps.ts";

/**
 * True if a step may use the result of one of these steps. The check reads the step's text and
 * prefers false positives: a template may say `steps["find"]`, and a transform gets all results
 * under any name.
 */
export function dependsOn(step: AnyStep, keys: readonly string[]): boolean {
  if (keys.length === 0) return false;
  const text = step.kind === "transform" ? step.code : listTexts(step).join("\n");
  if (/\bsteps\s*\[(?!\s*["'])/.test(text)) return true;
  if (step.kind === "transform" && /\b(steps|Object)\b/.test(text)) return true;
  return keys.some((key) => new RegExp(`(?<![A-Za-z0-9_])${key}(?![A-Za-z0-9_])`).test(text));
}

/** All texts of a step except its own key and what to do if it fails. */
function listTexts(step: AnyStep): string[] {
  const { key: _own, onFailure: _apart, kind: _kind, ...rest } = step;
  const texts: string[] = [];
  const add = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null)
      for (const [name, inner] of Object.entries(value)) {
        texts.push(name);
        add(inner);
      }
  };
  add(rest);
  return texts;
}
