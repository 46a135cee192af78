import { safeText } from "#components/ui/text/safe-text.ts";
import { describeRule, type StoredRule } from "./source-rule.ts";

/** The result of a rule for the latest deliveries. */
export type IdentityCheck = {
  readonly checked: number;
  readonly without: number;
  readonly repeated: number;
  readonly examples: readonly string[];
};

export function describeIdentityCheck(
  what: "dedupe" | "eventType",
  { checked, without, repeated, examples }: IdentityCheck,
  rule: StoredRule,
): string {
  if (checked === 0) return "No deliveries yet.";
  const last = checked === 1 ? "the last delivery" : `the last ${checked} deliveries`;
  if (rule === null) return what === "dedupe" ? `None of ${last} would have been a duplicate.` : "";
  const found =
    examples.length === 0
      ? ""
      : ` Found: ${examples.map((one) => safeText(one.slice(0, 60))).join(", ")}.`;
  const has = `${without} of ${last} ${without === 1 ? "doesn't" : "don't"} have ${describeRule(rule)}`;
  const missing =
    without === 0
      ? `All of ${last} have it.`.replace("All of the last delivery have", "The last delivery has")
      : what === "dedupe"
        ? `${has}: each of those counts as a new event.`
        : `${has}: those have no event type.`;
  const repeats =
    what === "dedupe" && repeated > 0
      ? ` ${repeated} repeat${repeated === 1 ? "s" : ""} another one.`
      : "";
  return `${missing}${repeats}${found}`;
}
