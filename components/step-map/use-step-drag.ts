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

/** Says whether an item of the list comes before the pointer. */
type IsBefore = (item: DOMRect, pointer: PointerEvent) => boolean;

/** Items below each other. */
const isAbove: IsBefore = ({ top, height }, { clientY }) => top + height / 2 < clientY;

/** Items from left to right, in as many rows as they take. */
export const isLeftOf: IsBefore = ({ left, width, top, bottom }, { clientX, clientY }) =>
  bottom < clientY || (top < clientY && left + width / 2 < clientX);

/** A press that moves less is a click. */
const startPx = 5;

/**
 * Drags an item of a list to another place by its handle, with mouse, pen, or finger. Items stay
 * where they are until it is dropped: they differ in size, and would jump under the pointer. The
 * keyboard has buttons and keys.
 */
export function useStepDrag(
  onMove: (id: number, to: number) => void,
  isBefore: IsBefore = isAbove,
): Dragging {
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
    const { clientX: fromX, clientY: fromY } = event;
    let isMoved = false;
    const move = (pointer: PointerEvent) => {
      const { clientX, clientY } = pointer;
      isMoved ||= Math.hypot(clientX - fromX, clientY - fromY) >= startPx;
      if (!isMoved) return;
      const items = list.current?.querySelectorAll(":scope > [data-item]") ?? [];
      const others = [...items].filter((_item, at) => at !== from);
      to = others.filter((item) => isBefore(item.getBoundingClientRect(), pointer)).length;
      setDrag({ id, from, to });
      if (clientY < top + edgePx) (isOwn ? scroller : window).scrollBy(0, -edgePx / 4);
      else if (clientY > bottom - edgePx) (isOwn ? scroller : window).scrollBy(0, edgePx / 4);
    };
    const watching = new AbortController();
    const end = (isDropped: boolean) => {
      watching.abort();
      setDrag(null);
      if (isMoved) swallowClick();
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

/** The click that the browser makes of a drag's end would open the step. */
function swallowClick(): void {
  const watching = new AbortController();
  const stop = (event: Event) => {
    event.preventDefault();
    event.stopPropagation();
  };
  window.addEventListener("click", stop, { capture: true, signal: watching.signal });
  setTimeout(() => watching.abort());
}
