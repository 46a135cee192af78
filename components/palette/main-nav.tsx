"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import { classNames } from "#components/ui/class-names.ts";
import { isWithin, navItems } from "./nav-items.ts";

/** The main navigation, with the current section marked. */
export function MainNav() {
  const pathname = usePathname();
  return (
    <nav aria-label="Main">
      <ul className="grid gap-0.5">
        {navItems.map((item) => {
          const { href, name, icon: Icon } = item;
          const isCurrent = isWithin(item, pathname);
          return (
            <li key={href}>
              <Link
                href={href}
                aria-current={isCurrent ? "page" : undefined}
                className={classNames(
                  "flex h-9 items-center gap-2.5 rounded-md px-2.5 text-sm font-medium transition-colors",
                  isCurrent
                    ? "bg-muted text-foreground"
                    : "text-muted-foreground hover:bg-muted hover:text-foreground",
                )}
              >
                <Icon aria-hidden size={16} />
                {name}
              </Link>
            </li>
          );
        })}
      </ul>
    </nav>
  );
}
