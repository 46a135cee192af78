import {
  asIs,
  type Codec,
  type Draft,
  optionalText,
  plainText,
} from "#components/ui/form/codec.ts";
import { readJsonField } from "#components/ui/form/read-json-field.ts";
import type { MismatchRule } from "#lib/schema/send/event-type.ts";

/** JSON in a field. Null: empty. */
export function optionalJson(path: string): Codec<string | null, string> {
  const read = (json: string) =>
    json.trim() === "" ? { ok: true as const, value: null } : readJsonField(path, json);
  return {
    text: (json) => json ?? "",
    read: (json) => {
      const result = read(json);
      return result.ok ? result.value : null;
    },
    errors: (json) => {
      const result = read(json);
      return result.ok ? [] : result.errors;
    },
  };
}

/** The body of `PUT /event-types/{name}`, and the name. */
export const eventTypeFields = {
  name: plainText,
  description: optionalText,
  schema: optionalJson("schema"),
  example: optionalJson("example"),
  deprecated: asIs<boolean>(),
  onMismatch: asIs<MismatchRule>(),
};

export type EventTypeDraft = Draft<typeof eventTypeFields>;

/**
 * Not in the form's file, because that file runs in the browser and a page on the server uses this.
 */
export const newEventType: EventTypeDraft = {
  name: "",
  description: "",
  schema: "",
  example: "",
  deprecated: false,
  onMismatch: "warn",
};
