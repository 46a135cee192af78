import type { Consecutive } from "./shapes/sample-event.ts";

function event(name: string, id: number): object {
  return { store_id: 123_456, event: name, id };
}

/** Two events about the same object, which can't be told apart. */
export const nuvemshopConsecutive: Consecutive = () => ({
  two: [{ json: event("product/updated", 1) }, { json: event("product/updated", 1) }],
});
