"use client";

import { useEffect, useState } from "react";

/** Copies text and shows the result for two seconds. */
export function useCopy() {
  const [outcome, setOutcome] = useState<"copied" | "failed">();

  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), 2_000);
    return () => clearTimeout(timer);
  }, [outcome]);

  async function copy(text: string) {
    setOutcome((await writeClipboard(text)) ? "copied" : "failed");
  }

  return { outcome, copy };
}

/**
 * Browsers offer the clipboard API only on https and localhost. Elsewhere the old way still works.
 */
export async function writeClipboard(text: string): Promise<boolean> {
  if (navigator.clipboard !== undefined) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // The API is denied. The old way below may still be allowed.
    }
  }
  const focused = document.activeElement;
  const area = document.createElement("textarea");
  area.value = text;
  area.style.position = "fixed";
  // An open dialog makes everything outside of it inert.
  (focused?.closest("dialog") ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
  return isCopied;
}
