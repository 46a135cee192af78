/** One thing that people get wrong, as a change that undoes it. */
import type { FindingCode, Fix, FixData } from "./diagnosis.ts";
import type { Case } from "./patient.ts";

export type Lever = {
  /** Two levers of one axis are never pulled together. */
  readonly axis: "secret" | "scheme" | "header" | "url" | "body";
  readonly code: FindingCode;
  /** Said only when it was proven. */
  readonly sentence: string;
  readonly fix: Fix | null;
  /** The case with this one thing undone; null where that changes nothing. */
  readonly pull: (subject: Case) => Case | null;
};

export function withFix(data: FixData, label: string, effect: string): Fix {
  return { ...data, label, effect };
}

/** Computes at the first call and remembers. */
export function once<Value>(compute: () => Value): () => Value {
  let known: { readonly value: Value } | undefined;
  return () => {
    known ??= { value: compute() };
    return known.value;
  };
}

/** `x-hub-signature-256` as people write it: X-Hub-Signature-256. */
export function showHeaderName(name: string): string {
  return name.replaceAll(/(^|-)([a-z])/g, (_, dash: string, letter: string) => dash + letter.toUpperCase());
}
