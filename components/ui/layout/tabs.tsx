"use client";

import { type ReactNode, useId, useState } from "react";
import { ReadyButton } from "#components/ui/button/ready-button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { toTabKeys } from "./tab-keys.ts";

type Tab = { readonly id: string; readonly title: string; readonly panel: ReactNode };

type TabsProps = {
  readonly label: string;
  readonly tabs: readonly Tab[];
};

/** Tabs with arrow keys, as in the ARIA tabs pattern. */
export function Tabs({ label, tabs }: TabsProps) {
  const [chosen, setChosen] = useState(tabs[0]?.id);
  const base = useId();

  function choose(id: string) {
    setChosen(id);
    document.getElementById(`${base}-${id}`)?.focus();
  }

  return (
    <div className="grid min-w-0 grid-cols-1">
      <div
        role="tablist"
        aria-label={label}
        onKeyDown={toTabKeys(
          tabs.map(({ id }) => id),
          chosen,
          choose,
        )}
        className="flex flex-wrap gap-x-1 border-b px-2"
      >
        {tabs.map(({ id, title }) => (
          <ReadyButton
            key={id}
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === chosen}
            aria-controls={id === chosen ? `${base}-${id}-panel` : undefined}
            tabIndex={id === chosen ? 0 : -1}
            onClick={() => setChosen(id)}
            className={classNames(
              "-mb-px border-b-2 px-2.5 py-2.5 text-sm font-medium",
              id === chosen
                ? "border-primary"
                : "border-transparent text-muted-foreground hover:text-foreground",
            )}
          >
            {title}
          </ReadyButton>
        ))}
      </div>
      {tabs
        .filter(({ id }) => id === chosen)
        .map(({ id, panel }) => (
          <div
            key={id}
            role="tabpanel"
            id={`${base}-${id}-panel`}
            aria-labelledby={`${base}-${id}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users scroll it
            tabIndex={0}
            className="min-w-0 p-4"
          >
            {panel}
          </div>
        ))}
    </div>
  );
}
