"use client";

import { useRouter } from "next/navigation";
import { useEffect } from "react";
import { type DefaultViews, toDefaultView } from "./nav-items.ts";
import { readPalette, showPalette, typeIntoPalette } from "./palette-store.ts";
import { hasKeyShortcuts } from "./shortcut-setting.ts";
import { readKeys } from "./shortcuts.ts";

/** Maximum time between two keys of one shortcut. */
export const shortcutPauseMs = 1_200;

/** The shortcuts of every page: Ctrl-K or ⌘K, and single keys outside of text fields. */
export function useShortcuts(defaultViews: DefaultViews): void {
  const router = useRouter();
  useEffect(() => {
    let pressed: string[] = [];
    let pressedAt = 0;

    function onKeyDown(event: KeyboardEvent) {
      if (isPaletteKey(event)) {
        event.preventDefault();
        showPalette(readPalette() === "palette" ? "closed" : "palette");
        return;
      }
      if (isCharacter(event) && isPaletteLoading()) {
        event.preventDefault();
        typeIntoPalette(event.key);
        return;
      }
      if (!isPlainKey(event) || !hasKeyShortcuts()) return;
      const isLate = event.timeStamp - pressedAt > shortcutPauseMs;
      pressed = [...(isLate ? [] : pressed), event.key];
      pressedAt = event.timeStamp;
      const step = readKeys(pressed);
      if (step.kind === "wait") return;
      pressed = [];
      if (step.kind === "none") return;
      event.preventDefault();
      if (step.kind === "help") showPalette("shortcuts");
      else router.push(toDefaultView(step.href, defaultViews));
    }

    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [router, defaultViews]);
}

function isPaletteKey(event: KeyboardEvent): boolean {
  return (
    event.key.toLowerCase() === "k" &&
    (event.metaKey || event.ctrlKey) &&
    !event.altKey &&
    !event.shiftKey
  );
}

/** From the key that opens it until its dialog takes the keys itself. */
function isPaletteLoading(): boolean {
  return readPalette() === "palette" && document.querySelector("dialog[open]") === null;
}

function isCharacter(event: KeyboardEvent): boolean {
  return !event.metaKey && !event.ctrlKey && !event.altKey && event.key.length === 1;
}

/** Open dialogs, menus, and lists, which handle keys. A dialog that has just closed has none of them. */
const takesKeys = "dialog[open], :is([role=menu], [role=listbox]):not(dialog *)";

/** True if a single key was pressed outside of fields, menus, and dialogs. */
export function isPlainKey(event: KeyboardEvent): boolean {
  if (event.defaultPrevented || event.isComposing || event.repeat) return false;
  if (!isCharacter(event)) return false;
  if (document.querySelector(takesKeys) !== null) return false;
  const { target } = event;
  return !(
    target instanceof HTMLElement &&
    target.closest("input, textarea, select, [contenteditable]") !== null
  );
}
