/** Columns as wide as their longest cell. The first is aligned to the left, the others to the right. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  const line = (row: readonly string[]) =>
    widths
      .map((width, at) =>
        at === 0 ? (row[at] ?? "").padEnd(width) : (row[at] ?? "").padStart(width),
      )
      .join("  ")
      .trimEnd();
  return all.map(line).join("\n");
}
