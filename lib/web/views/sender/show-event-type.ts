import type { EventTypeRecord } from "#lib/db/event-types/event-types.ts";
import { exactJson } from "#lib/web/views/api-json.ts";

/** An entry of the catalog in the API's responses. */
export function showEventType({ schema, example, ...entry }: EventTypeRecord) {
  const { name, description, deprecated, onMismatch, createdAt, updatedAt } = entry;
  const json = { schema: exactJson(schema), example: exactJson(example) };
  return { name, description, ...json, deprecated, onMismatch, createdAt, updatedAt };
}
