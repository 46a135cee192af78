import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";

type TabLink = {
  readonly href: string;
  readonly name: string;
  /** Behind the name. */
  readonly count?: string;
  readonly isCurrent: boolean;
};

/** Tabs as links to the pages of one subject. */
export function TabLinks({ label, links }: { label: string; links: readonly TabLink[] }) {
  return (
    <nav
      aria-label={label}
      data-commands={label.toLowerCase()}
      className="flex gap-1 overflow-x-auto overflow-y-hidden border-b"
    >
      {links.map(({ href, name, count, isCurrent }) => (
        <Link
          key={href}
          href={href}
          aria-current={isCurrent ? "page" : undefined}
          className={classNames(
            "-mb-px border-b-2 px-2.5 py-2.5 text-sm font-medium whitespace-nowrap -outline-offset-2",
            isCurrent
              ? "border-primary"
              : "border-transparent text-muted-foreground hover:text-foreground",
          )}
        >
          {name}
          {count !== undefined && (
            <span className="font-normal text-muted-foreground tabular-nums"> {count}</span>
          )}
        </Link>
      ))}
    </nav>
  );
}
