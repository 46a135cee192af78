import type { ConfigurationPlan } from "../../../clients/typescript/src/operations.ts";
import type { CommandInput } from "../frame/command.ts";
import { paint, plain } from "../frame/write.ts";

const signs = { add: ["+", "green"], change: ["~", "yellow"], delete: ["-", "red"] } as const;
const maxChars = 300;

/** Shows a plan: JSON for programs, or a line for each thing and each of its fields. */
export function showPlan(input: CommandInput, plan: ConfigurationPlan): void {
  const { output } = input;
  if (input.values.json === true) {
    output.result(JSON.stringify(plan));
    return;
  }
  for (const { op, what, changes } of plan.items) {
    const [sign, color] = signs[op];
    output.result(paint(input, color, `${sign} ${plain(what)}`));
    for (const { path, from, to, isSecret } of changes)
      output.result(`    ${plain(path)}: ${isSecret ? "changed" : `${show(from)} → ${show(to)}`}`);
  }
  for (const change of plan.changedOutside.filter(({ isUndone }) => isUndone))
    output.result(paint(input, "yellow", plain(describeOutside(change))));
  const { sameCount, keptCount, prunedCount, adoptedCount } = plan;
  const counts = [`= ${sameCount} the same`];
  if (keptCount > 0) counts.push(`${keptCount} only in the account`);
  if (prunedCount > 0) counts.push(`${prunedCount} pruned`);
  if (adoptedCount > 0) counts.push(`${adoptedCount} marked as managed by these files`);
  output.result(counts.join(", "));
  for (const each of plan.toDo) output.note(plain(`To do: ${each}`));
}

type OutsideChange = ConfigurationPlan["changedOutside"][number];

/** What was changed since the files were last applied, which apply undoes. */
function describeOutside({ what, by, at, fields, isDeleted }: OutsideChange): string {
  const day = new Date(at).toISOString().slice(0, 16).replace("T", " ");
  const how = isDeleted ? "deleted" : "changed";
  const which = fields.length === 0 ? "" : ` (${fields.join(", ")})`;
  return `! ${what} was ${how} by ${by} at ${day} UTC${which}, not in the files: apply undoes it`;
}

function show(value: string | null): string {
  if (value === null) return "none";
  const text = plain(value);
  return text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
}
