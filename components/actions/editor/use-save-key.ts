"use client";

import { useEffect, useRef } from "react";

/** Saves on Ctrl+S and ⌘S anywhere on the page. */
export function useSaveKey(onSave: () => void) {
  const latest = useRef(onSave);
  latest.current = onSave;

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey ||
        event.key.toLowerCase() !== "s"
      )
        return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
