"use client";

import { useEffect } from "react";

/** `j` and `k`, or the arrows once a row has the focus, walk through the rows of the page's list; Enter opens, `/` goes to the search. */
export function ListKeys() {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target))
        return;
      if (document.querySelector("dialog[open], [role=dialog]") !== null) return;
      if (event.key === "/") {
        const search = document.querySelector<HTMLInputElement>("main input[type=search]");
        if (search === null) return;
        event.preventDefault();
        search.focus();
        search.select();
        return;
      }
      const step = stepOf(event);
      if (step === 0) return;
      const links = [...document.querySelectorAll<HTMLElement>("[data-row-link]")];
      const at = links.indexOf(document.activeElement as HTMLElement);
      const next = links[Math.min(links.length - 1, Math.max(0, at + step))];
      if (next === undefined) return;
      event.preventDefault();
      next.focus({ preventScroll: true });
      next.closest("tr")?.scrollIntoView({ block: "nearest" });
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
  return null;
}

function stepOf({ key }: KeyboardEvent): number {
  const isInRow = document.activeElement?.hasAttribute("data-row-link") === true;
  if (key === "j" || (key === "ArrowDown" && isInRow)) return 1;
  if (key === "k" || (key === "ArrowUp" && isInRow)) return -1;
  return 0;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
