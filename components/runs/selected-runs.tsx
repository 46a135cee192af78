"use client";

import { SelectionBar } from "#components/lists/selection/selection-bar.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import type { SelectedRunCommands } from "./selected-run-buttons.tsx";

const SelectedRunButtons = lazyPart(
  "SelectedRunButtons",
  () => import("./selected-run-buttons.tsx"),
);

/** The commands for the selected runs. */
export function SelectedRuns(commands: SelectedRunCommands) {
  return (
    <SelectionBar one="run" many="runs">
      {(idsFor) => <SelectedRunButtons {...commands} idsFor={idsFor} />}
    </SelectionBar>
  );
}
