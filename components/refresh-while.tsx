"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";

/** Asks for the page again now and then while something on it is about to change, unless nobody is looking. */
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
