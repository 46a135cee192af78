import { isEndedStep, type StepState } from "#lib/schema/act/step-limits.ts";
import type { JsonValue } from "#lib/schema/field/json-value.ts";

/** A step as a whole, which isn't one item of it. */
export const wholeStep = -1;

type EndedRecord = { readonly key: string; readonly item: number; readonly state: StepState };

/**
 * The results of ended steps that later steps see, by key. A step with items has them in `items`.
 */
export function collectResults<Entry extends EndedRecord>(
  records: Iterable<Entry>,
  read: (record: Entry) => JsonValue,
): Record<string, JsonValue> {
  const steps: Record<string, JsonValue> = Object.create(null);
  const items = new Map<string, JsonValue[]>();
  for (const record of records) {
    if (!isEndedStep(record.state)) continue;
    const result = read(record);
    if (record.item === wholeStep) steps[record.key] = result;
    else {
      const list = items.get(record.key) ?? [];
      list[record.item] = result;
      items.set(record.key, list);
    }
  }
  for (const [key, list] of items) {
    const known = steps[key];
    if (known !== undefined)
      steps[key] = {
        ...(known as Record<string, JsonValue>),
        items: Array.from(list, (each) => each ?? null),
      };
  }
  return steps;
}
