import type { KeyboardEvent, PointerEvent, ReactNode } from "react";

type BarPointerProps = {
  readonly count: number;
  /** The bar that is pointed at. */
  readonly at: number | null;
  readonly onPoint: (at: number | null) => void;
  /** The name, for the one plot that takes the focus. */
  readonly label?: string;
  /** The figures of the bar, for screen readers. */
  readonly text?: string;
  readonly children: ReactNode;
};

/** Points at a bar with the mouse, a finger, or the arrow keys. */
export function BarPointer({ count, at, onPoint, label, text, children }: BarPointerProps) {
  const point = ({ currentTarget, clientX }: PointerEvent<HTMLDivElement>) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    onPoint(keepWithin(Math.floor(((clientX - left) / width) * count), count));
  };
  const leave = () => onPoint(null);

  function onKeyDown(event: KeyboardEvent) {
    const next = toStep(event.key, at, count);
    if (next === undefined) return;
    event.preventDefault();
    onPoint(next);
  }

  const keys = label !== undefined && {
    role: "slider",
    tabIndex: 0,
    "aria-label": label,
    "aria-valuemin": 1,
    "aria-valuemax": count,
    "aria-valuenow": (at ?? count - 1) + 1,
    "aria-valuetext": at === null ? "The whole range" : text,
    onKeyDown,
    onBlur: leave,
  };
  return (
    <div onPointerMove={point} onPointerDown={point} onPointerLeave={leave} {...keys}>
      {children}
    </div>
  );
}

function keepWithin(at: number, count: number): number {
  return Math.min(count - 1, Math.max(0, at));
}

/** Undefined: the key does something else. Null: no bar. */
function toStep(key: string, at: number | null, count: number): number | null | undefined {
  switch (key) {
    case "ArrowLeft":
    case "ArrowDown":
      return keepWithin((at ?? count) - 1, count);
    case "ArrowRight":
    case "ArrowUp":
      return keepWithin((at ?? count - 2) + 1, count);
    case "Home":
      return 0;
    case "End":
      return count - 1;
    case "Escape":
      return null;
    default:
      return undefined;
  }
}
