"use client";

import { ListPlus } from "lucide-react";
import {
  type FocusEvent,
  type KeyboardEvent,
  type ReactNode,
  useId,
  useRef,
  useState,
} from "react";
import { Button } from "#components/ui/button/button.tsx";
import { classNames } from "#components/ui/class-names.ts";

type MoreFiltersProps = {
  /** How many of them are set. */
  readonly count: number;
  readonly children: ReactNode;
};

/** The rarer filters of a list: below a button on wide screens, with the others on narrow ones. */
export function MoreFilters({ count, children }: MoreFiltersProps) {
  const panelId = useId();
  const box = useRef<HTMLDivElement>(null);
  const [isOpen, setOpen] = useState(false);

  function onBlur({ relatedTarget }: FocusEvent) {
    if (!(relatedTarget instanceof Node) || box.current?.contains(relatedTarget) !== true)
      setOpen(false);
  }

  function onKeyDown(event: KeyboardEvent) {
    // A list of choices inside closes first.
    if (event.key !== "Escape" || event.defaultPrevented || !isOpen) return;
    event.preventDefault();
    setOpen(false);
    box.current?.querySelector("button")?.focus();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: closes what its button opens
    <div ref={box} className="filter-more" onBlur={onBlur} onKeyDown={onKeyDown}>
      <Button
        look="secondary"
        className="max-md:hidden"
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={(event) => {
          // Safari doesn't focus a button that is clicked.
          event.currentTarget.focus();
          setOpen(!isOpen);
        }}
      >
        <ListPlus aria-hidden size={15} />
        More{count > 0 && ` (${count})`}
      </Button>
      <div id={panelId} tabIndex={-1} className={classNames(!isOpen && "md:hidden")}>
        {children}
      </div>
    </div>
  );
}
