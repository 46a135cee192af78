import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { ReadForm } from "./send-json.ts";

/** Translates a value of the API to what a field holds, usually text, and back. */
export type Codec<Value, Typed> = {
  readonly text: (value: Value) => Typed;
  /** The value as API input. Text that can't be read stays as it is, and the schema rejects it. */
  readonly read: (typed: Typed) => unknown;
  /** Problems of the text itself. The schema checks the rest. Paths are those of the API. */
  readonly errors?: (typed: Typed) => readonly FieldError[];
  readonly inputMode?: "numeric" | "decimal";
};

type AnyCodec = {
  readonly text: (value: never) => unknown;
  readonly read: (typed: never) => unknown;
  readonly errors?: (typed: never) => readonly FieldError[];
  readonly inputMode?: "numeric" | "decimal";
};

/** The codecs of a form, by the names that the API has for its fields. */
export type Codecs = Readonly<Record<string, AnyCodec>>;

/** The content of a form's fields. */
export type Draft<Fields extends Codecs> = {
  readonly [Name in keyof Fields]: ReturnType<Fields[Name]["text"]>;
};
/** The values of a form's fields, as the API returns them. */
export type Values<Fields extends Codecs> = {
  readonly [Name in keyof Fields]: Parameters<Fields[Name]["text"]>[0];
};
type Input = Readonly<Record<string, unknown>>;

export function toDraft<Fields extends Codecs>(
  fields: Fields,
  values: Values<Fields>,
): Draft<Fields> {
  const texts = Object.entries(fields).map(([name, { text }]) => [
    name,
    text(values[name] as never),
  ]);
  return Object.fromEntries(texts) as Draft<Fields>;
}

/** The draft as API input, or the fields that can't be read. */
export function readDraft<Fields extends Codecs>(
  fields: Fields,
  draft: Draft<Fields>,
): ReadForm<Input> {
  const all = Object.entries(fields);
  const errors = all.flatMap(([name, codec]) => codec.errors?.(draft[name] as never) ?? []);
  if (errors.length > 0) return { ok: false, errors };
  return { ok: true, input: readInput(fields, draft) };
}

/** The draft as API input, whatever its fields contain. */
export function readInput<Fields extends Codecs>(fields: Fields, draft: Draft<Fields>): Input {
  const values = Object.entries(fields).map(
    ([name, { read }]) => [name, read(draft[name] as never)] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** A value that its field holds as it is: a choice, a checkbox, a list. */
export function asIs<Value>(): Codec<Value, Value> {
  return { text: (value) => value, read: (value) => value };
}

export const plainText: Codec<string, string> = {
  text: (value) => value,
  read: (text) => text.trim(),
};

/** Null: empty. */
export const optionalText: Codec<string | null, string> = {
  text: (value) => value ?? "",
  read: (text) => (text.trim() === "" ? null : text.trim()),
};

/** Not sent if it is empty. */
export const textIfAny: Codec<string | null, string> = {
  ...optionalText,
  read: (text) => (text.trim() === "" ? undefined : text.trim()),
};

/** Null: empty. */
export const optionalNumber: Codec<number | null, string> = {
  text: (value) => String(value ?? ""),
  read: readNumber,
  inputMode: "numeric",
};

/** Empty: the usual number. */
export function numberOr(usual: number): Codec<number, string> {
  return { ...optionalNumber, read: (text) => readNumber(text) ?? usual };
}

function readNumber(text: string): number | string | null {
  const trimmed = text.trim();
  if (trimmed === "") return null;
  return /^-?\d+(?:\.\d+)?$/.test(trimmed) ? Number(trimmed) : trimmed;
}

/** Milliseconds, typed as seconds. */
export const seconds: Codec<number, string> = {
  text: (ms) => String(ms / 1_000),
  read: (text) => {
    const value = readNumber(text.replace(",", "."));
    return typeof value === "number" ? Math.round(value * 1_000) : value;
  },
  inputMode: "decimal",
};

/** An object of several fields. */
export function group<Fields extends Codecs>(fields: Fields): Codec<Values<Fields>, Draft<Fields>> {
  return {
    text: (values) => toDraft(fields, values),
    read: (draft) => readInput(fields, draft),
  };
}

type Switch = { readonly isOn: boolean };

/** An object of several fields, or null while it is off. `first`: what it has when it is switched on. */
export function switched<Fields extends Codecs>(
  fields: Fields,
  first: Values<Fields>,
): Codec<Values<Fields> | null, Switch & Draft<Fields>> {
  return {
    text: (values) => ({ isOn: values !== null, ...toDraft(fields, values ?? first) }),
    read: (draft) => (draft.isOn ? readInput(fields, draft) : null),
  };
}

/** An object of several text fields, or null while the first one is empty. */
export function optionalGroup<Fields extends Readonly<Record<string, Codec<never, string>>>>(
  fields: Fields,
): Codec<Values<Fields> | null, Draft<Fields>> {
  const [first] = Object.values(fields);
  const empty = Object.fromEntries(Object.keys(fields).map((name) => [name, ""]));
  return {
    text: (values) => (values === null ? (empty as Draft<Fields>) : toDraft(fields, values)),
    read: (draft) => {
      const [text = ""] = Object.values<string>(draft);
      return first === undefined || text.trim() === "" ? null : readInput(fields, draft);
    },
  };
}
