import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { Logo } from "#components/shell/logo.tsx";
import { SkipLink } from "#components/shell/skip-link.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";

type DocsMenuGroup = {
  readonly title: string;
  readonly links: readonly { readonly href: string; readonly title: string }[];
};

type DocsFrameProps = {
  readonly menu: readonly DocsMenuGroup[];
  /** The address of the page. Null: it isn't in the menu. */
  readonly current: string | null;
  readonly headings: readonly { readonly id: string; readonly heading: string }[];
  /** The text in the search field. */
  readonly searched?: string;
  readonly children: ReactNode;
};

/** The frame of the documentation: search, menu, and the headings of the page. It needs no scripts. */
export function DocsFrame({ menu, current, headings, searched, children }: DocsFrameProps) {
  const pages = menu.flatMap(({ links }) => links);
  const hasHeadings = headings.length > 2;
  const at = pages.findIndex(({ href }) => href === current);
  return (
    <div className="min-h-dvh">
      <SkipLink />
      <header className="sticky top-0 z-10 border-b bg-card">
        <div className="mx-auto flex max-w-7xl items-center gap-3 px-4 py-2 sm:gap-6 sm:px-6">
          <Link href="/docs" className="inline-flex items-center gap-2 rounded-md">
            <Logo isShort />
            <span className="sr-only text-sm text-muted-foreground sm:not-sr-only">Docs</span>
          </Link>
          <DocsSearch searched={searched ?? ""} />
          <Link href="/" className={buttonClasses("secondary", "shrink-0")}>
            Dashboard
          </Link>
        </div>
      </header>
      <div
        className={
          "mx-auto max-w-7xl lg:grid lg:grid-cols-[15rem_minmax(0,1fr)] " +
          "xl:grid-cols-[15rem_minmax(0,1fr)_14rem]"
        }
      >
        <div className="lg:border-r">
          <details className="group border-b px-4 py-3 sm:px-6 lg:hidden">
            <summary className="cursor-pointer text-sm font-medium">All pages</summary>
            <DocsMenu menu={menu} current={current} label="All pages" />
          </details>
          <div className="sticky top-[3.3rem] hidden max-h-[calc(100dvh-3.3rem)] overflow-y-auto px-4 py-6 lg:block">
            <DocsMenu menu={menu} current={current} label="Docs" />
          </div>
        </div>
        <main
          id="content"
          tabIndex={-1}
          className={classNames(
            "mx-auto grid w-full min-w-0 grid-cols-1 content-start gap-10 px-4 py-8 outline-none sm:px-6 lg:px-10",
            hasHeadings ? "max-w-3xl xl:max-w-4xl xl:px-6" : "max-w-3xl xl:col-span-2 xl:max-w-5xl",
          )}
        >
          {children}
          {at >= 0 && <Neighbors previous={pages[at - 1]} next={pages[at + 1]} />}
        </main>
        {hasHeadings && (
          <nav aria-label="On this page" className="hidden xl:block">
            <div className="sticky top-[3.3rem] max-h-[calc(100dvh-3.3rem)] overflow-y-auto px-4 py-8 text-sm">
              <p className="pb-2 font-medium">On this page</p>
              <ul className="grid gap-1 border-l">
                {headings.map(({ id, heading }) => (
                  <li key={id}>
                    <a
                      href={`#${id}`}
                      className="block px-3 py-0.5 break-words text-muted-foreground hover:text-foreground"
                    >
                      {heading}
                    </a>
                  </li>
                ))}
              </ul>
            </div>
          </nav>
        )}
      </div>
    </div>
  );
}

function DocsSearch({ searched }: { searched: string }) {
  return (
    <search className="ml-auto min-w-0 flex-1 sm:max-w-sm">
      <form action="/docs/search" className="relative">
        <Search
          aria-hidden
          size={15}
          className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-muted-foreground"
        />
        <input
          type="search"
          name="q"
          aria-label="Search the docs"
          placeholder="Search the docs"
          defaultValue={searched}
          maxLength={200}
          className="control pl-8"
        />
      </form>
    </search>
  );
}

function DocsMenu({
  menu,
  current,
  label,
}: Pick<DocsFrameProps, "menu" | "current"> & { readonly label: string }) {
  return (
    <nav aria-label={label} className="grid gap-5 pt-3 lg:pt-0">
      {menu.map(({ title, links }) => (
        <div key={title} className="grid gap-0.5">
          <p className="px-2.5 pb-1 text-xs font-medium text-muted-foreground">{title}</p>
          <ul className="grid gap-0.5">
            {links.map((link) => (
              <li key={link.href}>
                <Link
                  href={link.href}
                  aria-current={link.href === current ? "page" : undefined}
                  className="nav-link h-auto min-h-8 py-1.5 font-normal aria-[current=page]:font-medium"
                >
                  {link.title}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

type Neighbor = { readonly href: string; readonly title: string };

function Neighbors({
  previous,
  next,
}: {
  previous: Neighbor | undefined;
  next: Neighbor | undefined;
}) {
  return (
    <nav aria-label="Previous and next page" className="flex flex-wrap gap-3 border-t pt-6 text-sm">
      {previous !== undefined && <NeighborLink words="Previous" link={previous} />}
      {next !== undefined && <NeighborLink words="Next" link={next} isLast />}
    </nav>
  );
}

function NeighborLink({
  words,
  link,
  isLast = false,
}: {
  words: string;
  link: Neighbor;
  isLast?: boolean;
}) {
  return (
    <Link
      href={link.href}
      className={classNames(
        "grid min-w-40 gap-0.5 rounded-md border px-4 py-3 hover:bg-muted",
        isLast && "ml-auto text-right",
      )}
    >
      <span className="text-xs text-muted-foreground">{words}</span>
      <span className="font-medium">{link.title}</span>
    </Link>
  );
}
