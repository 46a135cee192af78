"use client";

import { useEffect } from "react";
import { hasKeyShortcuts } from "#components/palette/shortcut-setting.ts";
import { isPlainKey, shortcutPauseMs } from "#components/palette/use-shortcuts.ts";

/**
 * `j` and `k`, or the arrow keys once a row has the focus, move through the page's list. Enter
 * opens a row, `x` selects it (with Shift also those before it), `/` focuses the search.
 */
export function ListKeys() {
  useEffect(() => {
    let last = { key: "", at: 0 };
    const onKeyDown = (event: KeyboardEvent) => {
      // `g` then `k` is another shortcut.
      const isSecondKey = last.key === "g" && event.timeStamp - last.at < shortcutPauseMs;
      last = { key: event.key, at: event.timeStamp };
      const isPlain = isPlainKey(event) && hasKeyShortcuts() && !isSecondKey;
      if (isPlain && event.key === "/") {
        const search = document.querySelector<HTMLInputElement>("main input[type=search]");
        if (search === null) return;
        event.preventDefault();
        search.focus();
        search.select();
        return;
      }
      if (event.key.toLowerCase() === "x" && isPlain) {
        const row = document.activeElement?.closest("tr");
        const options = { bubbles: true, cancelable: true, shiftKey: event.shiftKey };
        row?.querySelector("input[data-row]")?.dispatchEvent(new MouseEvent("click", options));
        return;
      }
      const step = stepOf(event, isPlain);
      if (step === 0) return;
      const links = [...document.querySelectorAll<HTMLElement>("a.row-name")];
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

function stepOf({ key }: KeyboardEvent, isPlain: boolean): number {
  const isInRow = document.activeElement?.matches("a.row-name") === true;
  if ((isPlain && key === "j") || (isInRow && key === "ArrowDown")) return 1;
  if ((isPlain && key === "k") || (isInRow && key === "ArrowUp")) return -1;
  return 0;
}
