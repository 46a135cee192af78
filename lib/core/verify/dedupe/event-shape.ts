/**
 * True for `{id, type, data: {…}}` with text in `id` and `type`, and any other fields: the shape of
 * an event, whose `id` is the event's. In any other shape, `id` may be that of an object.
 */
export function isEventShape(value: unknown): boolean {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const { id, type, data } = value as Readonly<Record<string, unknown>>;
  return typeof id === "string" && typeof type === "string" && isObject(data);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
