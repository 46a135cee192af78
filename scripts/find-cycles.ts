/**
 * One cycle for each group of nodes that reach each other, with the first node repeated at the end.
 */
export function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  for (const start of [...graph.keys()].sort()) visit(start, []);
  return cycles;

  function visit(node: string, path: readonly string[]): void {
    const seenAt = path.indexOf(node);
    if (seenAt >= 0) {
      cycles.push([...path.slice(seenAt), node]);
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) if (next !== node) visit(next, [...path, node]);
    done.add(node);
  }
}
