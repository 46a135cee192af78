"use client";

import { Suspense, useSyncExternalStore } from "react";
import { lazyPart } from "#components/ui/lazy-part.ts";
import type { PaletteProps } from "./palette-list.tsx";
import { readPalette, watchPalette } from "./palette-store.ts";
import { useShortcuts } from "./use-shortcuts.ts";

const PaletteDialog = lazyPart("PaletteDialog", () => import("./palette-dialog.tsx"));

const closed = () => "closed" as const;

/** Handles its keys on every page, and fetches its content when opened. */
export function CommandPalette(props: PaletteProps) {
  useShortcuts(props.defaultViews);
  const view = useSyncExternalStore(watchPalette, readPalette, closed);
  if (view === "closed") return null;
  return (
    <Suspense>
      <PaletteDialog key={view} view={view} {...props} />
    </Suspense>
  );
}
