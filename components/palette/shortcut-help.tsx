"use client";

import { X } from "lucide-react";
import { useState } from "react";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { showPalette } from "./palette-store.ts";
import { hasKeyShortcuts, setKeyShortcuts } from "./shortcut-setting.ts";
import { goShortcuts } from "./shortcuts.ts";

const everywhere = [
  { keys: ["Ctrl", "K"], does: "Search and commands (⌘ K on a Mac)" },
  {
    keys: ["J", "K"],
    does: "Next and previous row, Enter to open. On a delivery, the older and newer one",
  },
  { keys: ["X"], does: "Select a row, with Shift also those before it" },
  { keys: ["/"], does: "Search a list" },
  { keys: ["?"], does: "This help" },
  { keys: ["Esc"], does: "Close" },
  { keys: ["Ctrl", "S"], does: "In the action editor: save (⌘ S on a Mac)" },
];

/** All keyboard shortcuts, and the switch that turns off single-key ones. */
export function ShortcutHelp() {
  const [isOn, setIsOn] = useState(hasKeyShortcuts);

  function change(next: boolean) {
    setKeyShortcuts(next);
    setIsOn(next);
  }

  return (
    <div className="grid gap-4 p-5">
      <div className="flex items-center justify-between gap-4">
        <h2 className="font-semibold">Keyboard shortcuts</h2>
        <IconButton label="Close" onClick={() => showPalette("closed")}>
          <X aria-hidden size={16} />
        </IconButton>
      </div>
      <dl className="grid gap-2 text-sm">
        {[...everywhere, ...goShortcuts].map(({ keys, does }) => (
          <div key={does} className="flex items-center justify-between gap-4">
            <dt>{does}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-6 rounded border bg-muted px-1.5 py-0.5 text-center font-sans text-xs"
                >
                  {key}
                </kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="flex items-center gap-2.5 border-t pt-4 text-sm">
        <input
          type="checkbox"
          checked={isOn}
          onChange={(event) => change(event.target.checked)}
          className="size-4 accent-primary"
        />
        Enable single-key shortcuts
      </label>
    </div>
  );
}
