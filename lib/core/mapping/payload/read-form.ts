import { type JsonText, parseContainer } from "./parse-json-text.ts";

/** The texts of a form's fields. A name that is repeated has a list. */
export type FormFields = Readonly<Record<string, string | readonly string[]>>;

export function collectFields(pairs: Iterable<readonly [name: string, text: string]>): FormFields {
  const fields = new Map<string, string | string[]>();
  for (const [name, text] of pairs) {
    const known = fields.get(name);
    if (known === undefined) fields.set(name, text);
    else if (Array.isArray(known)) known.push(text);
    else fields.set(name, [known, text]);
  }
  return Object.fromEntries(fields);
}

/**
 * The event in a form: the field that is the whole event, as the provider says, or JSON that was sent
 * as a form and became the name of its only field. Null: the form is the event.
 */
export function findEvent(fields: FormFields, payloadField: string | null): JsonText | null {
  if (payloadField !== null && Object.hasOwn(fields, payloadField)) {
    const text = fields[payloadField];
    return typeof text === "string" ? parseContainer(text) : null;
  }
  const [only, ...others] = Object.entries(fields);
  if (only === undefined || others.length > 0) return null;
  const [name, text] = only;
  if (text === "") return parseContainer(name);
  return name === "" && typeof text === "string" ? parseContainer(text) : null;
}

/** A form as a value: a field that is a JSON object or list is its value, and any other is text. */
type FormValue = {
  readonly value: Readonly<Record<string, unknown>>;
  /** `value` as JSON with the digits as sent. Null: all fields are text. */
  readonly text: string | null;
};

export function toFormValue(fields: FormFields): FormValue {
  const entries = Object.entries(fields);
  const read = entries.map(([name, texts]) => [name, readTexts(texts)] as const);
  if (read.every(([, field]) => field === null)) return { value: fields, text: null };
  const members = read.map(([name, field], at) => {
    const text = field?.text ?? JSON.stringify(entries[at]?.[1]);
    return `${JSON.stringify(name)}:${text}`;
  });
  const value = read.map(([name, field]) => [name, field === null ? fields[name] : field.value]);
  return { value: Object.fromEntries(value), text: `{${members.join(",")}}` };
}

/** Null: they have no JSON. */
function readTexts(texts: string | readonly string[]): JsonText | null {
  if (typeof texts === "string") return parseContainer(texts);
  const read = texts.map((text) => parseContainer(text) ?? text);
  if (read.every((one) => typeof one === "string")) return null;
  const written = read.map((one) => (typeof one === "string" ? JSON.stringify(one) : one.text));
  const value = read.map((one) => (typeof one === "string" ? one : one.value));
  return { text: `[${written.join(",")}]`, value };
}
