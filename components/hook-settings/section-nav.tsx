/** Turns a heading into the fragment of its URL: "De-duplication" is `#de-duplication`. */
export function toAnchor(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
}

/** The sections of a long page: beside them and always visible, or above them on narrow screens. */
export function SectionNav({ label, titles }: { label: string; titles: readonly string[] }) {
  return (
    <nav
      aria-label={label}
      className="min-w-0 self-start lg:sticky lg:top-6 lg:order-last lg:w-44 lg:shrink-0"
    >
      <ul className="flex gap-1 overflow-x-auto pb-1 text-sm lg:grid lg:border-l lg:pb-0">
        {titles.map((title) => (
          <li key={title} className="shrink-0">
            <a
              href={`#${toAnchor(title)}`}
              className={
                "block rounded-md border px-2.5 py-1.5 text-muted-foreground hover:bg-muted " +
                "hover:text-foreground lg:rounded-none lg:rounded-r-md lg:border-0 lg:py-1"
              }
            >
              {title}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
