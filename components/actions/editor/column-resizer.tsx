"use client";

import { type KeyboardEvent, type PointerEvent, type RefObject, useEffect, useState } from "react";

type ColumnResizerProps = {
  /** The grid, whose first column is `--payload-width` wide. */
  readonly columns: RefObject<HTMLElement | null>;
};

const property = "--payload-width";
const storageKey = "catchment.payload-width";
const minPx = 280;
const maxPx = 800;
const stepPx = 24;

/**
 * A handle that changes the width of the payload's column, by mouse and by arrow keys. A double
 * click and Enter restore the width. This browser remembers it.
 */
export function ColumnResizer({ columns }: ColumnResizerProps) {
  /** Null: as wide as the window suggests. */
  const [width, setWidth] = useState<number | null>(null);
  const [isDragged, setDragged] = useState(false);

  useEffect(() => {
    const stored = Number(localStorage.getItem(storageKey));
    if (stored >= minPx && stored <= maxPx) setWidth(stored);
  }, []);

  useEffect(() => {
    const { style } = columns.current ?? {};
    if (width === null) style?.removeProperty(property);
    else style?.setProperty(property, `${width}px`);
  }, [columns, width]);

  function resize(next: number | null) {
    const kept = next === null ? null : Math.round(Math.min(maxPx, Math.max(minPx, next)));
    setWidth(kept);
    if (kept === null) localStorage.removeItem(storageKey);
    else localStorage.setItem(storageKey, String(kept));
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    const shown = event.currentTarget.parentElement?.clientWidth ?? minPx;
    const next = {
      ArrowLeft: shown - stepPx,
      ArrowRight: shown + stepPx,
      Home: minPx,
      End: maxPx,
      Enter: null,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    resize(next);
  }

  function onPointerMove(event: PointerEvent<HTMLElement>) {
    const left = event.currentTarget.parentElement?.getBoundingClientRect().left;
    if (isDragged && left !== undefined) resize(event.clientX - left);
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a rule can't be moved
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the payload"
      aria-valuemin={minPx}
      aria-valuemax={maxPx}
      aria-valuenow={width ?? 320}
      tabIndex={0}
      title="Drag to resize. Double-click to reset."
      onKeyDown={onKeyDown}
      onDoubleClick={() => resize(null)}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        setDragged(true);
      }}
      onPointerMove={onPointerMove}
      onPointerUp={() => setDragged(false)}
      onPointerCancel={() => setDragged(false)}
      className={
        "group absolute inset-y-0 -right-3 z-10 hidden w-3 cursor-col-resize touch-none " +
        "items-center justify-center rounded-full lg:flex"
      }
    >
      <span
        aria-hidden
        data-dragged={isDragged || undefined}
        className={
          "h-10 w-1 rounded-full bg-border transition-colors group-hover:bg-primary " +
          "data-dragged:bg-primary"
        }
      />
    </div>
  );
}
