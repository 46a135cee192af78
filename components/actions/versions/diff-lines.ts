import { diffArrays } from "diff";

export type DiffLine = {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
};

/**
 * With more changed lines than this, a text is shown as replaced: comparing takes time with each
 * changed line.
 */
const maxChangedLines = 2_000;
/** Unchanged lines around a change. */
const context = 3;

/**
 * The changes from one text to another, by line. Unchanged lines far from a change become a gap.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  const changes = diffArrays([...old], [...now], { maxEditLength: maxChangedLines }) ?? [
    { value: old, added: false, removed: true },
    { value: now, added: true, removed: false },
  ];
  return leaveOutSame(
    changes.flatMap(({ value, added, removed }) => {
      const kind = added ? "added" : removed ? "removed" : "same";
      return value.map((text) => line(kind, text));
    }),
  );
}

function leaveOutSame(lines: readonly DiffLine[]): readonly DiffLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - context), at + context + 1).some(({ kind }) => kind !== "same");
  return lines.flatMap((each, at) => {
    if (isNear(at)) return [each];
    return at === 0 || isNear(at - 1) ? [line("gap", "")] : [];
  });
}

function splitLines(text: string): readonly string[] {
  return text === "" ? [] : text.split("\n");
}

function line(kind: DiffLine["kind"], text: string): DiffLine {
  return { kind, text };
}
