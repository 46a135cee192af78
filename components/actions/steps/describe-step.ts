import { capitalize } from "#lib/base/capitalize.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import { hasCondition } from "./to-map-steps.ts";

/** The differences from a step that always runs once and stops the run if it fails. */
export function listMarks(step: StepDraft): readonly string[] {
  const { forEach, onFailure, branch } = step;
  const marks: string[] = [];
  if (hasCondition(step)) marks.push("only if its condition matches");
  if (forEach !== null) {
    const pace = forEach.parallel.trim() === "1" ? "in order" : `${forEach.parallel} at once`;
    marks.push(`for each of ${forEach.path.trim() === "" ? "…" : forEach.path}, ${pace}`);
  }
  if (onFailure === "continue") marks.push("continues if it fails");
  if (onFailure === "steps")
    marks.push(branch.length === 1 ? "1 step if it fails" : `${branch.length} steps if it fails`);
  return marks;
}

/** The same differences as a sentence, for the collapsed options. */
export function summarizeOptions(step: StepDraft): string {
  const marks = listMarks(step);
  if (marks.length === 0) return "Runs once, and stops the run if it fails.";
  const [first = "", ...others] = marks;
  return `${[capitalize(first), ...others].join(", ")}.`;
}
