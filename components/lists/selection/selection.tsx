"use client";

import { createContext, type ReactNode, use, useCallback, useMemo, useState } from "react";
import { useAllowed } from "#components/permissions/role.tsx";

/** The commands that a row takes: "retry", "replay". */
export type RowMarks = readonly string[];

type Selection = {
  /** The selected rows, in the order in which they were selected. */
  readonly rows: ReadonlyMap<string, RowMarks>;
  readonly set: (rows: readonly (readonly [id: string, marks: RowMarks])[], isOn: boolean) => void;
  readonly clear: () => void;
};

const SelectionContext = createContext<Selection | null>(null);

/** The selected rows of the list inside. Without it, or without the permission, a list has no checkboxes. */
export function SelectionScope({ children }: { children: ReactNode }) {
  const isAllowed = useAllowed("deliveries:write");
  const [rows, setRows] = useState<Selection["rows"]>(new Map());
  const set = useCallback<Selection["set"]>((changed, isOn) => {
    setRows((before) => {
      const next = new Map(before);
      for (const [id, marks] of changed) {
        if (isOn) next.set(id, marks);
        else next.delete(id);
      }
      return next;
    });
  }, []);
  const clear = useCallback(() => setRows(new Map()), []);
  const selection = useMemo(() => ({ rows, set, clear }), [rows, set, clear]);
  return <SelectionContext value={isAllowed ? selection : null}>{children}</SelectionContext>;
}

/** Null: the list can't be selected from. */
export function useSelection(): Selection | null {
  return use(SelectionContext);
}
