"use client";

import Link from "next/link";
import { usePathname } from "next/navigation";
import type { ReactNode } from "react";
import { classNames } from "./ui/class-names.ts";

export function NavLink({ href, children }: { href: string; children: ReactNode }) {
  const pathname = usePathname();
  const isCurrent =
    href === "/" ? pathname === "/" || /^\/(hooks|actions)\//.test(pathname) : pathname.startsWith(href);
  return (
    <Link
      href={href}
      aria-current={isCurrent ? "page" : undefined}
      className={classNames(
        "rounded-md px-2.5 py-1.5 text-sm font-medium transition-colors",
        isCurrent ? "bg-muted text-foreground" : "text-muted-foreground hover:text-foreground",
      )}
    >
      {children}
    </Link>
  );
}
