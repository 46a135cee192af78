"use client";

import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Link } from "#components/ui/link.tsx";
import { type AccountSection, accountSectionGroups } from "./account-sections.ts";

/** The pages of the settings: a list beside them on wide screens, a row above them on narrow ones. */
export function AccountNav() {
  const pathname = usePathname();
  return (
    <nav
      aria-label="Settings"
      data-commands="account"
      className={
        "-mx-4 flex overflow-x-auto overflow-y-hidden border-b px-4 sm:-mx-6 sm:px-6 " +
        "lg:sticky lg:top-8 lg:mx-0 lg:grid lg:content-start lg:gap-5 lg:self-start lg:border-b-0 lg:px-0"
      }
    >
      {accountSectionGroups.map(({ title, sections }) => (
        <div key={title} className="flex lg:grid lg:gap-0.5">
          <p
            aria-hidden
            className="hidden px-2.5 pb-0.5 text-xs font-medium text-muted-foreground lg:block"
          >
            {title}
          </p>
          <ul aria-label={title} className="flex lg:grid lg:gap-0.5">
            {sections.map((section) => (
              <SectionLink
                key={section.href}
                section={section}
                isCurrent={isWithin(section, pathname)}
              />
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function SectionLink({ section, isCurrent }: { section: AccountSection; isCurrent: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  // In the row of a narrow screen, the current page may be out of sight.
  useEffect(() => {
    if (isCurrent) link.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }, [isCurrent]);
  return (
    <li>
      <Link
        ref={link}
        href={section.href}
        aria-current={isCurrent ? "page" : undefined}
        className={classNames(
          "block border-b-2 px-2.5 py-2.5 text-sm font-medium whitespace-nowrap -outline-offset-2",
          "lg:rounded-md lg:border-b-0 lg:py-1.5",
          isCurrent
            ? "border-primary lg:bg-muted"
            : "border-transparent text-muted-foreground hover:text-foreground lg:hover:bg-muted",
        )}
      >
        {section.name}
      </Link>
    </li>
  );
}

/** The first page has the path that all others begin with. */
function isWithin({ href }: AccountSection, pathname: string): boolean {
  return pathname === href || (href !== "/account" && pathname.startsWith(`${href}/`));
}
