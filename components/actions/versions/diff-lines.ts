export type DiffLine = {
  readonly kind: "same" | "added" | "removed" | "gap";
  readonly text: string;
};

/** Beyond it, a text is shown as replaced: comparing takes lines × lines. */
const maxCells = 1_000_000;
/** Unchanged lines around a change. */
const context = 3;

/** What changed from one text to another, by line. Unchanged lines far from a change are a gap. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const [old, now] = [splitLines(before), splitLines(after)];
  let start = 0;
  while (start < old.length && start < now.length && old[start] === now[start]) start += 1;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old[old.length - 1 - end] === now[now.length - 1 - end]
  )
    end += 1;
  const middle = diffMiddle(old.slice(start, old.length - end), now.slice(start, now.length - end));
  return leaveOutSame([
    ...old.slice(0, start).map((text) => line("same", text)),
    ...middle,
    ...old.slice(old.length - end).map((text) => line("same", text)),
  ]);
}

function diffMiddle(old: readonly string[], now: readonly string[]): readonly DiffLine[] {
  if (old.length * now.length > maxCells)
    return [...old.map((text) => line("removed", text)), ...now.map((text) => line("added", text))];
  const common = commonLengths(old, now);
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < old.length || j < now.length; ) {
    if (i < old.length && j < now.length && old[i] === now[j]) {
      lines.push(line("same", old[i] ?? ""));
      i += 1;
      j += 1;
    } else if (j >= now.length || (i < old.length && common(i + 1, j) >= common(i, j + 1))) {
      lines.push(line("removed", old[i] ?? ""));
      i += 1;
    } else {
      lines.push(line("added", now[j] ?? ""));
      j += 1;
    }
  }
  return lines;
}

/** How many lines the rests of both texts, from there on, have in common in the same order. */
function commonLengths(old: readonly string[], now: readonly string[]) {
  const width = now.length + 1;
  const lengths = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i -= 1)
    for (let j = now.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        old[i] === now[j]
          ? (lengths[(i + 1) * width + j + 1] ?? 0) + 1
          : Math.max(lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0);
  return (i: number, j: number) => lengths[i * width + j] ?? 0;
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
