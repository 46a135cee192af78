/** Makes the ids of a page's headings as GitHub does, in the order of the page. */
export function headingIds(): (title: string) => string {
  const counts = new Map<string, number>();
  return (title) => {
    const base = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replace(/\s/gu, "-");
    const count = counts.get(base) ?? 0;
    counts.set(base, count + 1);
    return count === 0 ? base : `${base}-${count}`;
  };
}
