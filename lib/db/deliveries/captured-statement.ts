/** A statement that is completed before it runs. */
export type Captured = {
  readonly strings: TemplateStringsArray;
  readonly values: readonly unknown[];
};

export function capture(strings: TemplateStringsArray, ...values: unknown[]): Captured {
  return { strings, values };
}

/** One text per place in the code: the driver identifies its prepared statement by it. */
const complete = new WeakMap<TemplateStringsArray, TemplateStringsArray>();

/** The statement's texts with an end that has no values, and is always the same. */
export function withEnd(strings: TemplateStringsArray, end: string): TemplateStringsArray {
  const known = complete.get(strings);
  if (known !== undefined) return known;
  const whole = strings.map((part, at) => (at === strings.length - 1 ? part + end : part));
  const made = Object.assign(whole, { raw: whole });
  complete.set(strings, made);
  return made;
}
