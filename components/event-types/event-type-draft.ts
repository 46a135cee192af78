import { readJsonField } from "#components/ui/form/read-json-field.ts";
import type { ReadForm } from "#components/ui/form/send-json.ts";
import type { MismatchRule } from "#lib/schema/sender/event-type.ts";

export type EventTypeDraft = {
  readonly name: string;
  readonly description: string;
  /** The schema as JSON. Empty: none. */
  readonly schema: string;
  readonly example: string;
  readonly deprecated: boolean;
  readonly onMismatch: MismatchRule;
};

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

/** The draft as the body of `PUT /event-types/{name}`, and the name. */
export function readEventTypeDraft(draft: EventTypeDraft): ReadForm {
  const schema = readJson("schema", draft.schema);
  const example = readJson("example", draft.example);
  const errors = [schema, example].flatMap((read) => (read.ok ? [] : read.errors));
  if (!schema.ok || !example.ok) return { ok: false, errors };
  const description = draft.description.trim();
  return {
    ok: true,
    input: {
      ...draft,
      name: draft.name.trim(),
      description: description === "" ? null : description,
      schema: schema.value,
      example: example.value,
    },
  };
}

/** Empty: null. */
function readJson(path: string, json: string) {
  return json.trim() === "" ? { ok: true as const, value: null } : readJsonField(path, json);
}
