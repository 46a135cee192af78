"use client";

import { usePathname, useSearchParams } from "next/navigation";
import { useEffect, useRef } from "react";

/**
 * Opens something when the address asks for it by name (`?open=invite`), once: closing it and
 * reloading the page doesn't open it again.
 */
export function useOpenedBy(name: string, open: () => void): void {
  const pathname = usePathname();
  const params = useSearchParams();
  const isAsked = params.get("open") === name;
  const opening = useRef(open);
  opening.current = open;
  useEffect(() => {
    if (!isAsked) return;
    const rest = new URLSearchParams(window.location.search);
    rest.delete("open");
    window.history.replaceState(null, "", rest.size === 0 ? pathname : `${pathname}?${rest}`);
    opening.current();
  }, [isAsked, pathname]);
}
