/** Null: empty. Text that isn't a number stays, so that the schema reports it. */
export function readNumber(form: FormData, name: string): number | string | null {
  const text = String(form.get(name) ?? "").trim();
  if (text === "") return null;
  return Number.isNaN(Number(text)) ? text : Number(text);
}

/** Null: empty. */
export function readOptional(form: FormData, name: string): string | null {
  const text = String(form.get(name) ?? "").trim();
  return text === "" ? null : text;
}
