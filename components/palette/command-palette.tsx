"use client";

import { lazy, Suspense, useSyncExternalStore } from "react";
import { readPalette, watchPalette } from "./palette-store.ts";
import { useShortcuts } from "./use-shortcuts.ts";

// Loaded when it is first asked for: no page waits for it.
const PaletteDialog = lazy(async () => {
  const { PaletteDialog: loaded } = await import("./palette-dialog.tsx");
  return { default: loaded };
});

const closed = () => "closed" as const;

/** Listens for its keys on every page; what it shows is fetched when it is opened. */
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
