const maxOffered = 30;

/** Known types, and prefixes with at least two of them, that contain the text. */
export function offerTypes(
  known: readonly string[],
  chosen: readonly string[],
  text: string,
): readonly string[] {
  const wanted = text.trim().toLowerCase();
  return [...listPrefixes(known), ...known]
    .filter((type) => !chosen.includes(type) && type.includes(wanted))
    .toSorted((one, other) => rank(one, wanted) - rank(other, wanted) || compare(one, other))
    .slice(0, maxOffered);
}

function listPrefixes(known: readonly string[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const type of known) {
    const [first = ""] = type.split(".");
    if (first !== type) counts.set(`${first}.*`, (counts.get(`${first}.*`) ?? 0) + 1);
  }
  return [...counts].flatMap(([prefix, count]) => (count > 1 ? [prefix] : []));
}

/** Types that start with the text come first. */
function rank(type: string, wanted: string): number {
  return type.startsWith(wanted) ? 0 : 1;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}
