import {
  ExactNumber,
  isJsonObject,
  type JsonObject,
  type JsonValue,
} from "#lib/schema/field/json-value.ts";

/** The objects of a list. Null: it isn't one, or has something else too. */
export function readObjects(json: JsonValue | null | undefined): readonly JsonObject[] | null {
  if (!Array.isArray(json)) return null;
  const objects = json.filter(isJsonObject);
  return objects.length === json.length ? objects : null;
}

/** Null: it is missing, or no text. */
export function readText(json: JsonValue | null | undefined): string | null {
  return typeof json === "string" ? json : null;
}

/** The text of an id that a provider writes as a number or as text. Null: it is missing. */
export function readId(json: JsonValue | null | undefined): string | null {
  if (typeof json === "string" && json !== "") return json;
  return typeof json === "number" || json instanceof ExactNumber ? String(json) : null;
}

/** The texts of a list. */
export function readTexts(json: JsonValue | null | undefined): readonly string[] {
  return Array.isArray(json) ? json.filter((item) => typeof item === "string") : [];
}
