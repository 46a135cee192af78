"use client";

import { useRouter } from "next/navigation";
import { type KeyboardEvent, type PointerEvent, useEffect, useRef } from "react";
import { announce } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { maxColumnWidth, minColumnWidth } from "#lib/schema/receive/delivery-columns.ts";
import { type Column, toColumnParams } from "./delivery-row.ts";

/** The address of a list. */
export type ColumnPlace = {
  readonly path: string;
  /** The parameters of the list's URL, without its page. */
  readonly params: Readonly<Record<string, string>>;
};

type ColumnHeadProps = {
  readonly at: number;
  readonly columns: readonly Column[];
  readonly place: ColumnPlace;
};

/** A step of the arrow keys, in pixels. */
const step = 16;

/**
 * The head of a column that can be dragged: its title to another place, its edge to another width.
 * Shift with an arrow key moves the title, and an arrow key the edge. Both are in the URL.
 */
export function ColumnHead({ at, columns, place }: ColumnHeadProps) {
  const router = useRouter();
  const title = useRef<HTMLButtonElement>(null);
  const keepsFocus = useRef(false);
  const column = columns[at];

  // A moved element loses the focus.
  // biome-ignore lint/correctness/useExhaustiveDependencies: it has moved when its place changes
  useEffect(() => {
    if (keepsFocus.current) title.current?.focus();
    keepsFocus.current = false;
  }, [at]);

  if (column === undefined) return null;
  const name = safeText(column.title);

  function arrange(next: readonly Column[]) {
    const given = Object.entries({ ...place.params, ...toColumnParams(next) });
    const query = new URLSearchParams(given.filter(([, value]) => value !== ""));
    router.replace(`${place.path}?${query}`, { scroll: false });
  }

  function move(from: number, to: number) {
    const moved = columns[from];
    if (moved === undefined || to < 0 || to >= columns.length || to === from) return;
    const others = columns.toSpliced(from, 1);
    arrange(others.toSpliced(to, 0, moved));
    announce(`Column ${safeText(moved.title)} is now ${to + 1} of ${columns.length}.`);
  }

  function resize(pixels: number) {
    const width = Math.round(Math.min(maxColumnWidth, Math.max(minColumnWidth, pixels)));
    arrange(columns.map((each, index) => (index === at ? { ...each, width } : each)));
  }

  function onTitleKey(event: KeyboardEvent) {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by === undefined || !event.shiftKey) return;
    event.preventDefault();
    keepsFocus.current = true;
    move(at, at + by);
  }

  function onEdgeKey(event: KeyboardEvent<HTMLElement>) {
    const by = { ArrowLeft: -step, ArrowRight: step }[event.key];
    const cell = event.currentTarget.closest("th");
    if (by === undefined || cell === null) return;
    event.preventDefault();
    resize((column?.width ?? cell.offsetWidth) + by);
  }

  function onEdgeDown(event: PointerEvent<HTMLElement>) {
    const edge: HTMLElement = event.currentTarget;
    const cell = edge.closest("th");
    if (cell === null || event.button !== 0) return;
    event.preventDefault();
    const [startX, startWidth] = [event.clientX, cell.offsetWidth];
    const width = (x: number) => startWidth + x - startX;
    const controller = new AbortController();
    const { signal } = controller;
    edge.setPointerCapture(event.pointerId);
    edge.addEventListener(
      "pointermove",
      ({ clientX }) => {
        cell.style.width = `${Math.max(minColumnWidth, width(clientX))}px`;
      },
      { signal },
    );
    edge.addEventListener(
      "pointerup",
      ({ clientX }) => {
        controller.abort();
        resize(width(clientX));
      },
      { signal },
    );
    edge.addEventListener("pointercancel", () => controller.abort(), { signal });
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: its button has keys for the same
    <span
      className="flex items-center"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        move(Number(event.dataTransfer.getData("text/plain")), at);
      }}
    >
      <button
        ref={title}
        type="button"
        draggable
        title={`${safeText(column.path)}. Drag to move, or press Shift and an arrow key`}
        aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
        onDragStart={(event) => event.dataTransfer.setData("text/plain", String(at))}
        onKeyDown={onTitleKey}
        className="min-w-0 flex-1 cursor-grab truncate rounded-sm text-left"
      >
        {name}
      </button>
      {/* biome-ignore lint/a11y/useSemanticElements: a separator that moves is no <hr> */}
      <span
        role="separator"
        tabIndex={0}
        aria-orientation="vertical"
        aria-label={`Width of ${name}`}
        aria-valuemin={minColumnWidth}
        aria-valuemax={maxColumnWidth}
        aria-valuenow={column.width ?? minColumnWidth}
        aria-valuetext={column.width === null ? "Automatic" : `${column.width} pixels`}
        onKeyDown={onEdgeKey}
        onPointerDown={onEdgeDown}
        className={
          "-mr-2 ml-1 h-5 w-1.5 shrink-0 cursor-col-resize touch-none border-r-2 border-border " +
          "hover:border-ring focus-visible:border-ring"
        }
      />
    </span>
  );
}
