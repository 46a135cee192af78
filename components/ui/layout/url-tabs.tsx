"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { Activity, type MouseEvent, type ReactNode, useId } from "react";
import { toTabKeys } from "./tab-keys.ts";

type UrlTabsProps = {
  readonly label: string;
  readonly tabs: readonly {
    readonly id: string;
    readonly title: string;
    readonly panel: ReactNode;
  }[];
  /** Hidden tabs keep running: a form there still guards what was typed. Default: they sleep. */
  readonly isKeptAlive?: boolean;
  /** At the end of the row of tabs. */
  readonly aside?: ReactNode;
  /** The panel takes what is left of the page's height. */
  readonly isTall?: boolean;
};

/**
 * Tabs of a page, each with a URL: `?tab=settings`, or none for the first. What was typed in a tab
 * stays while another is shown.
 */
export function UrlTabs(props: UrlTabsProps) {
  const { label, tabs, isKeptAlive = false, aside, isTall = false } = props;
  const pathname = usePathname();
  const params = useSearchParams();
  const base = useId();
  const asked = params.get("tab");
  const ids = tabs.map(({ id }) => id);
  const [first] = ids;
  const chosen = ids.find((id) => id === asked) ?? first;

  function toPath(id: string): string {
    const next = new URLSearchParams(params);
    if (id === first) next.delete("tab");
    else next.set("tab", id);
    return next.size === 0 ? pathname : `${pathname}?${next}`;
  }

  function choose(id: string) {
    // Not the router: every tab is here already.
    if (id !== chosen) window.history.pushState(null, "", toPath(id));
    document.getElementById(`${base}-${id}`)?.focus();
  }

  function onClick(event: MouseEvent, id: string) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    choose(id);
  }

  return (
    <div className={isTall ? "tall-tabs" : "grid min-w-0 grid-cols-1"}>
      <div className="flex flex-wrap items-center justify-between gap-x-4 border-b">
        <div
          role="tablist"
          aria-label={label}
          onKeyDown={toTabKeys(ids, chosen, choose)}
          className="flex flex-wrap gap-x-1"
        >
          {tabs.map(({ id, title }) => (
            <a
              key={id}
              href={toPath(id)}
              role="tab"
              id={`${base}-${id}`}
              aria-selected={id === chosen}
              aria-controls={id === chosen ? `${base}-${id}-panel` : undefined}
              tabIndex={id === chosen ? 0 : -1}
              onClick={(event) => onClick(event, id)}
              className={
                "-mb-px border-b-2 border-transparent px-2.5 py-2.5 text-sm font-medium " +
                "text-muted-foreground -outline-offset-2 hover:text-foreground " +
                "aria-selected:border-primary aria-selected:text-foreground"
              }
            >
              {title}
            </a>
          ))}
        </div>
        {aside !== undefined && <div className="py-1.5">{aside}</div>}
      </div>
      {tabs.map(({ id, panel }) => (
        <Activity key={id} mode={id === chosen || isKeptAlive ? "visible" : "hidden"}>
          <div
            hidden={id !== chosen}
            role="tabpanel"
            id={`${base}-${id}-panel`}
            aria-labelledby={`${base}-${id}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
            tabIndex={0}
            className={isTall ? "tall-panel" : "min-w-0 pt-5"}
          >
            {panel}
          </div>
        </Activity>
      ))}
    </div>
  );
}
