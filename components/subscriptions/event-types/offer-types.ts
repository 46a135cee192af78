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

/** The type that Enter adds: the first suggestion, unless the text is a type or a prefix by itself. */
export function takeType(offered: readonly string[], text: string): string {
  const typed = text.trim();
  return offered.includes(typed) || typed.endsWith("*") ? typed : (offered[0] ?? typed);
}

/** The chosen types that no known type matches. An empty catalog knows none, and says nothing. */
export function findUnknown(
  known: readonly string[],
  chosen: readonly string[],
): readonly string[] {
  if (known.length === 0) return [];
  return chosen.filter(
    (type) =>
      type !== "*" &&
      !known.some((one) =>
        type.endsWith(".*") ? one.startsWith(type.slice(0, -1)) : one === type,
      ),
  );
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
