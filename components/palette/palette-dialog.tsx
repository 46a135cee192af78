"use client";

import { useEffect, useRef } from "react";
import { PaletteList, type PaletteProps } from "./palette-list.tsx";
import { type PaletteView, readPalette, showPalette } from "./palette-store.ts";
import { ShortcutHelp } from "./shortcut-help.tsx";

type PaletteDialogProps = PaletteProps & { readonly view: Exclude<PaletteView, "closed"> };

/** A native dialog: it traps the focus, closes on Escape, and restores the focus. */
export function PaletteDialog({ view, ...props }: PaletteDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const element = dialog.current;
    if (element?.open === false) element.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-label={view === "palette" ? "Search and commands" : "Keyboard shortcuts"}
      closedby="any"
      // Another view may have been opened since the dialog closed.
      onClose={() => {
        if (readPalette() === view) showPalette("closed");
      }}
      className={
        "mx-auto mt-[12dvh] w-[calc(100%-2rem)] max-w-xl overflow-hidden rounded-xl " +
        "border bg-card text-foreground shadow-2xl backdrop:bg-black/50"
      }
    >
      {view === "palette" ? <PaletteList {...props} /> : <ShortcutHelp />}
    </dialog>
  );
}
