"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import { readPalette, watchPalette } from "./palette-store.ts";
import { useShortcuts } from "./use-shortcuts.ts";

// Loaded on first use, so that it doesn't slow down pages.
const PaletteDialog = lazy(async () => {
  const { PaletteDialog: loaded } = await import("./palette-dialog.tsx");
  return { default: loaded };
});

const closed = () => "closed" as const;

/** Handles its keys on every page, and fetches its content when opened. */
export function CommandPalette() {
  useShortcuts();
  const view = useSyncExternalStore(watchPalette, readPalette, closed);
  if (view === "closed") return null;
  return (
    <Suspense>
      <PaletteDialog view={view} />
    </Suspense>
  );
}
