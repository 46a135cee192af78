"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/**
 * Refreshes the page at intervals while something on it is about to change and the tab is visible.
 */
export function RefreshWhile({ isOn, everyMs = 2_000 }: { isOn: boolean; everyMs?: number }) {
  const router = useRouter();
  useEffect(() => {
    if (!isOn) return;
    const timer = setInterval(() => {
      if (document.visibilityState === "visible") router.refresh();
    }, everyMs);
    return () => clearInterval(timer);
  }, [isOn, everyMs, router]);
  return null;
}
