"use client";

import { type PointerEvent as ReactPointerEvent, type RefObject, useRef, useState } from "react";

type StepDrag = {
  readonly id: number;
  readonly from: number;
  /** The position at which it would be dropped now. */
  readonly to: number;
};

type Dragging = {
  readonly list: RefObject<HTMLOListElement | null>;
  /** Null: nothing is dragged. */
  readonly drag: StepDrag | null;
  readonly start: (event: ReactPointerEvent, id: number, from: number) => void;
};

/** The distance from the edge at which the list scrolls, or the page. */
const edgePx = 48;

/**
 * Drags a row of a list to another place by its handle, with mouse, pen, or finger. Rows stay where
 * they are until it is dropped: they differ in height, and would jump under the pointer. The keyboard
 * has buttons.
 */
export function useStepDrag(onMove: (id: number, to: number) => void): Dragging {
  const list = useRef<HTMLOListElement>(null);
  const [drag, setDrag] = useState<StepDrag | null>(null);

  function start(event: ReactPointerEvent, id: number, from: number) {
    if (event.button !== 0) return;
    // Without this, dragging would select text.
    event.preventDefault();
    let to = from;
    const scroller = list.current?.closest("[data-scrolls]");
    const isOwn = scroller != null && scroller.scrollHeight > scroller.clientHeight;
    const { top, bottom } = isOwn
      ? scroller.getBoundingClientRect()
      : { top: 0, bottom: window.innerHeight };
    const move = ({ clientY }: PointerEvent) => {
      const others = [...(list.current?.children ?? [])].filter((_row, at) => at !== from);
      to = others.filter((row) => middleOf(row) < clientY).length;
      setDrag({ id, from, to });
      if (clientY < top + edgePx) (isOwn ? scroller : window).scrollBy(0, -edgePx / 4);
      else if (clientY > bottom - edgePx) (isOwn ? scroller : window).scrollBy(0, edgePx / 4);
    };
    const watching = new AbortController();
    const end = (isDropped: boolean) => {
      watching.abort();
      setDrag(null);
      if (isDropped && to !== from) onMove(id, to);
    };
    const { signal } = watching;
    window.addEventListener("pointermove", move, { signal });
    window.addEventListener("pointerup", () => end(true), { signal });
    window.addEventListener("pointercancel", () => end(false), { signal });
    window.addEventListener("keydown", ({ key }) => key === "Escape" && end(false), { signal });
  }

  return { list, drag, start };
}

function middleOf(row: Element): number {
  const { top, height } = row.getBoundingClientRect();
  return top + height / 2;
}
