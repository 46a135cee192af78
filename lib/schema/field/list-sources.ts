// Apart from the schemas: the hook settings in the browser take it without them.

/** The stored rule as the ordered list that the catch path reads. */
export function listSources<Source extends object>(
  rule: Source | readonly Source[] | null,
): readonly Source[] {
  if (rule === null) return [];
  return isList(rule) ? rule : [rule];
}

function isList<Source extends object>(
  rule: Source | readonly Source[],
): rule is readonly Source[] {
  return Array.isArray(rule);
}
