"use client";

import { Search } from "lucide-react";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { ReadyButton } from "#components/ui/button/ready-button.tsx";
import { showPalette } from "./palette-store.ts";

/** A button for users who don't know the shortcut. */
export function PaletteButton({ isSmall = false }: { isSmall?: boolean }) {
  const open = () => showPalette("palette");
  if (isSmall) {
    return (
      <IconButton label="Search and commands" onClick={open}>
        <Search aria-hidden size={18} />
      </IconButton>
    );
  }
  return (
    <ReadyButton
      onClick={open}
      aria-keyshortcuts="Control+K Meta+K"
      className={
        "flex h-9 shrink-0 items-center gap-2.5 rounded-md border px-2.5 text-sm " +
        "text-muted-foreground transition-colors hover:bg-muted hover:text-foreground"
      }
    >
      <Search aria-hidden size={16} />
      Search
      <kbd className="ml-auto rounded border px-1.5 font-sans text-xs">Ctrl K</kbd>
    </ReadyButton>
  );
}
