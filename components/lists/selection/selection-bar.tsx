"use client";

import { type ReactNode, Suspense, useEffect } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { listBoxes, readBox } from "./row-check.tsx";
import { useSelection } from "./selection.tsx";

type SelectionBarProps = {
  /** One row in words, and many: "delivery", "deliveries". */
  readonly one: string;
  readonly many: string;
  /** The buttons, which may be loaded on first use. */
  readonly children: (idsFor: IdsFor) => ReactNode;
};

/** The selected rows with a mark; without a mark, all of them. */
export type IdsFor = (mark?: string) => readonly string[];

/** The commands for the selected rows, above the end of the window. Escape clears them. */
export function SelectionBar({ one, many, children }: SelectionBarProps) {
  const selection = useSelection();
  const count = selection?.rows.size ?? 0;
  const clear = selection?.clear;

  useEffect(() => {
    if (count === 0 || clear === undefined) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const isElsewhere = document.querySelector("dialog[open], [role=menu], [role=listbox]");
      if (event.key === "Escape" && !event.defaultPrevented && isElsewhere === null) clear();
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [count, clear]);

  const text = `${count} ${count === 1 ? one : many} selected`;
  return (
    <>
      <p role="status" className="sr-only">
        {count > 0 && text}
      </p>
      {selection !== null && count > 0 && (
        <section data-sticky-bar aria-label={`Selected ${many}`} className="selection-bar">
          <div>
            <p className="mr-2 text-sm font-medium tabular-nums">{text}</p>
            <Suspense>
              {children((mark) =>
                [...selection.rows]
                  .filter(([, marks]) => mark === undefined || marks.includes(mark))
                  .map(([id]) => id),
              )}
            </Suspense>
            <Button
              look="quiet"
              className="max-sm:hidden"
              onClick={() => selection.set(listBoxes().map(readBox), true)}
            >
              Select all shown
            </Button>
            <Button look="quiet" onClick={selection.clear}>
              Clear
            </Button>
          </div>
        </section>
      )}
    </>
  );
}
