"use client";

import { usePathname } from "next/navigation";
import { Link } from "#components/ui/link.tsx";
import {
  type DefaultViews,
  isWithin,
  type NavItem,
  navGroups,
  toDefaultView,
} from "./nav-items.ts";

/** The main navigation, with the current section marked. */
export function MainNav({
  openProblems,
  defaultViews,
}: {
  openProblems: number;
  defaultViews: DefaultViews;
}) {
  const pathname = usePathname();
  return (
    <nav aria-label="Main">
      <div className="grid gap-3">
        {navGroups.map(({ title, items }) => (
          <div key={items[0]?.href} className="grid gap-0.5">
            {title !== null && (
              <p className="px-2.5 pb-0.5 text-xs font-medium text-muted-foreground">{title}</p>
            )}
            <ul className="grid gap-0.5" aria-label={title ?? undefined}>
              {items.map((item) => (
                <NavLink
                  key={item.href}
                  item={item}
                  href={toDefaultView(item.href, defaultViews)}
                  isCurrent={isWithin(item, pathname)}
                  count={item.href === "/problems" ? openProblems : 0}
                />
              ))}
            </ul>
          </div>
        ))}
      </div>
    </nav>
  );
}

type NavLinkProps = {
  readonly item: NavItem;
  readonly href: string;
  readonly isCurrent: boolean;
  /** Shown behind the name. 0: nothing. */
  readonly count: number;
};

function NavLink({ item, href, isCurrent, count }: NavLinkProps) {
  const { name, icon: Icon } = item;
  return (
    <li>
      <Link href={href} aria-current={isCurrent ? "page" : undefined} className="nav-link">
        <Icon aria-hidden size={16} />
        {name}
        {count > 0 && (
          <span className="ml-auto text-xs font-medium text-negative tabular-nums">
            {count > 99 ? "99+" : count}
            <span className="sr-only"> open</span>
          </span>
        )}
      </Link>
    </li>
  );
}
