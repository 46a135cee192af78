/**
 * What a form hears of its change. `fields` are messages by field name, to stand beside the field; `message` says
 * what is wrong as a whole.
 */
export type CommandResult<Value> =
  | { readonly ok: true; readonly value: Value }
  | {
      readonly ok: false;
      readonly message: string;
      readonly fields: Readonly<Record<string, string>>;
    };
