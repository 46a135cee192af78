import type { Codec } from "./codec.ts";

/** A name and a value in a form. `key` identifies the row while its name is typed. */
export type Pair = {
  readonly key: number;
  readonly name: string;
  readonly value: string;
  /** True if its name is fixed and its value isn't shown. */
  readonly isStored?: boolean;
};

export function toPairs(record: Readonly<Record<string, string>>): readonly Pair[] {
  return Object.entries(record).map(([name, value], key) => ({ key, name, value }));
}

/** Rows with content, by name. */
export function readPairs(pairs: readonly Pair[]): Readonly<Record<string, string>> {
  const filled = pairs.filter(({ name, value }) => name.trim() !== "" || value !== "");
  return Object.fromEntries(filled.map(({ name, value }) => [name.trim(), value]));
}

/** Names and values, one row each. */
export const pairs: Codec<Readonly<Record<string, string>>, readonly Pair[]> = {
  text: toPairs,
  read: readPairs,
};
