"use client";

import { ThemeProvider as NextThemes } from "next-themes";
import type { ReactNode } from "react";

/**
 * Light, dark, or system theme, stored in this browser. A script with the nonce sets it before the
 * first paint.
 */
export function ThemeProvider({ nonce, children }: { nonce: string; children: ReactNode }) {
  return (
    <NextThemes
      attribute="class"
      storageKey="catchment.theme"
      enableColorScheme={false}
      nonce={nonce}
    >
      {children}
    </NextThemes>
  );
}
