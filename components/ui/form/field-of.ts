import { describeFieldError, type FieldError } from "#lib/schema/field/command-result.ts";
import type { Codecs, Draft } from "./codec.ts";

/** A field of a form: what it holds, and what it shows. Its name is its path in the API. */
export type FieldOf<Typed> = {
  readonly name: string;
  readonly value: Typed;
  readonly onChange: (value: Typed) => void;
  readonly error: string | undefined;
  readonly inputMode?: "numeric" | "decimal" | undefined;
};

/** Finds a field by its name, or a part of a field that has several. */
export type FindField<Form> = {
  <Name extends keyof Form & string>(name: Name): FieldOf<Form[Name]>;
  <Name extends keyof Form & string, Part extends keyof Form[Name] & string>(
    name: Name,
    part: Part,
  ): FieldOf<Form[Name][Part]>;
};

type FormState<Fields extends Codecs> = {
  readonly fields: Fields;
  readonly draft: Draft<Fields>;
  readonly change: (part: Partial<Draft<Fields>>) => void;
  readonly errors: readonly FieldError[];
};

export function findField<Fields extends Codecs>(
  form: FormState<Fields>,
): FindField<Draft<Fields>> {
  const { fields, draft, change, errors } = form;
  return ((name: keyof Fields & string, part?: string): FieldOf<unknown> => {
    const value = draft[name] as unknown;
    const set = (next: unknown) => change({ [name]: next } as Partial<Draft<Fields>>);
    const { inputMode } = fields[name] ?? {};
    if (part === undefined)
      return { name, value, onChange: set, error: messageUnder(errors, name), inputMode };
    const parts = value as Readonly<Record<string, unknown>>;
    const path = `${name}.${part}`;
    // An error of the whole is shown at its first part, after the checkboxes.
    const isFirst = Object.keys(parts).find((key) => typeof parts[key] !== "boolean") === part;
    const whole = isFirst ? errors.find((error) => error.path === name) : undefined;
    return {
      name: path,
      value: parts[part],
      onChange: (next) => set({ ...parts, [part]: next }),
      error: messageUnder(errors, path) ?? (whole && describeFieldError(whole)),
    };
  }) as FindField<Draft<Fields>>;
}

/** The first error of a field or of something in it, with the rest of its path. */
function messageUnder(errors: readonly FieldError[], path: string): string | undefined {
  const error = errors.find(({ path: at }) => at === path || /^[.[]/.test(startsAt(at, path)));
  if (error === undefined) return undefined;
  const rest = error.path.slice(path.length).replace(/^\./, "");
  return rest === "" ? describeFieldError(error) : `${rest}: ${describeFieldError(error)}`;
}

/** The rest of a path that starts with another one. Empty: it doesn't. */
function startsAt(path: string, start: string): string {
  return path.startsWith(start) ? path.slice(start.length) : "";
}
