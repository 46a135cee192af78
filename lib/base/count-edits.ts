/**
 * Levenshtein distance, with a transposition as one edit. For names: the cost is the product of
 * their lengths.
 */
export function countEdits(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let at = 1; at <= one.length; at += 1) {
    const next = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const swapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      next[to] = Math.min(
        (next[to - 1] ?? 0) + 1,
        (row[to] ?? 0) + 1,
        (row[to - 1] ?? 0) + (isSame ? 0 : 1),
        at > 1 && to > 1 && swapped ? (before[to - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    [before, row] = [row, next];
  }
  return row[other.length] ?? 0;
}
