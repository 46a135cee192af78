"use client";

import { type ReactNode, useEffect, useRef } from "react";
import { Button, buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import type { Search } from "#lib/schema/account/search.ts";
import { useSearchOn } from "./use-search-on.ts";

type SearchedRowsProps<Row> = {
  readonly rows: readonly Row[];
  readonly search: Search;
  /** The link that continues the search without scripts. */
  readonly older: string | null;
  /** The things that are searched: "deliveries". */
  readonly what: string;
  /** Draws the rows found so far. */
  readonly children: (rows: readonly Row[]) => ReactNode;
};

/** A list of search results. The search continues while the page is open. */
export function SearchedRows<Row extends { readonly id: string }>(props: SearchedRowsProps<Row>) {
  const { what, children, older: first } = props;
  const { found, isDone, isOn, isFailed, reachedMs, older, toggle } = useSearchOn(props);
  const isInBrowser = useHydrated();
  const timeZone = useTimeZone();
  const line = useRef<HTMLParagraphElement>(null);
  const hadFocus = useRef(false);

  // The button disappears when the search ends. The focus must not be lost.
  useEffect(() => {
    if (isDone && hadFocus.current) line.current?.focus();
  }, [isDone]);

  const matches = `${found.length} ${found.length === 1 ? "match" : "matches"}`;
  const isOver = isDone && older === null;
  return (
    <div className="grid grid-cols-1 gap-4">
      {found.length > 0 ? (
        children(found)
      ) : (
        <EmptyState title={isOver ? `No matching ${what}` : "No matches so far"}>
          <p>
            {isOver
              ? "Change the filters above, or clear them."
              : "Older ones are searched while this page is open."}
          </p>
        </EmptyState>
      )}
      <div className="flex min-h-9 flex-wrap items-center justify-end gap-x-4 gap-y-2 text-sm">
        <p ref={line} tabIndex={-1} className="mr-auto text-muted-foreground outline-none">
          {isFailed && "The search stopped. "}
          {isOver
            ? `Searched everything: ${matches}`
            : isInBrowser && `Searched back to ${toMoment(reachedMs, timeZone ?? "UTC")}`}
        </p>
        <p role="status" className="sr-only">
          {describeState({ isOn, isDone, isFailed, matches })}
        </p>
        {!isDone && isInBrowser && (
          <Button
            look="secondary"
            onClick={toggle}
            onFocus={() => {
              hadFocus.current = true;
            }}
            onBlur={() => {
              hadFocus.current = false;
            }}
          >
            {isOn ? "Cancel" : "Search on"}
          </Button>
        )}
        <OlderLink href={isInBrowser ? older : first} isShown={isDone || !isInBrowser} />
      </div>
    </div>
  );
}

function OlderLink({ href, isShown }: { href: string | null; isShown: boolean }) {
  if (href === null || !isShown) return null;
  return (
    <Link href={href} className={buttonClasses("secondary")}>
      Older
    </Link>
  );
}

type SearchState = {
  readonly isOn: boolean;
  readonly isDone: boolean;
  readonly isFailed: boolean;
  readonly matches: string;
};

/** The text for screen readers: only important changes, not each step back in time. */
function describeState({ isOn, isDone, isFailed, matches }: SearchState): string {
  if (isDone) return `Search finished, ${matches}`;
  if (isFailed) return `The search stopped, ${matches} so far`;
  return `${isOn ? "Searching" : "Search canceled"}, ${matches} so far`;
}

/** Writes a time as "12 Nov, 14:05". */
function toMoment(ms: number, timeZone: string): string {
  const isThisYear = new Date(ms).getFullYear() === new Date().getFullYear();
  return new Date(ms).toLocaleString("en-GB", {
    day: "numeric",
    month: "short",
    ...(!isThisYear && { year: "numeric" }),
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  });
}
