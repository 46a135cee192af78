"use client";

import { createContext, useContext } from "react";
import type { Suggestion } from "#components/ui/code/suggestion.ts";

export type TemplateContextValue = {
  /** The names that templates can use in the chosen delivery. */
  readonly names: readonly Suggestion[];
  /**
   * Called when a field gets the cursor. `insert` writes a payload field there. Null: the field
   * takes none.
   */
  readonly onFocus: (insert: InsertField | null) => void;
  /** Called when a payload field was dropped. */
  readonly onInsert: (text: string) => void;
};

/** Takes a path and returns the inserted text. Null: the field is gone. */
export type InsertField = (path: string) => string | null;

export const TemplateContext = createContext<TemplateContextValue>({
  names: [],
  onFocus: () => {},
  onInsert: () => {},
});

export function useTemplateContext(): TemplateContextValue {
  return useContext(TemplateContext);
}
