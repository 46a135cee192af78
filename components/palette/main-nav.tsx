"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
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
              <Link href={href} aria-current={isCurrent ? "page" : undefined} className="nav-link">
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
