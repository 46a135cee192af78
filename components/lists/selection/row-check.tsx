"use client";

import type { MouseEvent } from "react";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { type RowMarks, useSelection } from "./selection.tsx";

type RowCheckProps = {
  readonly id: string;
  /** The row's name, for screen readers. */
  readonly name: string;
  readonly marks: RowMarks;
};

/**
 * Selects a row: by a click, by `x` on the row with the focus, and with Shift all rows between it
 * and the last one. Draws nothing in a list without selection.
 */
export function RowCheck({ id, name, marks }: RowCheckProps) {
  const selection = useSelection();
  const isInBrowser = useHydrated();
  if (selection === null) return null;
  const { rows, set } = selection;

  function onClick({ currentTarget, shiftKey }: MouseEvent<HTMLInputElement>) {
    const boxes = listBoxes();
    const last = boxes.findIndex((box) => box.dataset.last !== undefined);
    const at = boxes.indexOf(currentTarget);
    for (const box of boxes) delete box.dataset.last;
    currentTarget.dataset.last = "";
    const from = shiftKey && last >= 0 ? last : at;
    const changed = boxes.slice(Math.min(from, at), Math.max(from, at) + 1);
    set(changed.map(readBox), currentTarget.checked);
  }

  return (
    <input
      type="checkbox"
      className="row-check"
      aria-label={`Select ${name}`}
      checked={rows.has(id)}
      disabled={!isInBrowser}
      onClick={onClick}
      // The state follows from the click, which knows of Shift.
      onChange={ignore}
      data-row={id}
      data-marks={marks.join(" ")}
    />
  );
}

function ignore() {}

/** The checkboxes of the page's list, in order. */
export function listBoxes(): HTMLInputElement[] {
  return [...document.querySelectorAll<HTMLInputElement>("input[data-row]")];
}

export function readBox({ dataset }: HTMLInputElement): readonly [id: string, marks: RowMarks] {
  return [dataset.row ?? "", (dataset.marks ?? "").split(" ")];
}
