"use client";

import { createContext, useContext } from "react";
import type { Suggestion } from "#components/ui/code/suggestion.ts";

export type TemplateContextValue = {
  /** What templates can name in the chosen delivery. */
  readonly names: readonly Suggestion[];
  /** A field got the cursor. `insert` writes a field of the payload there; null: it takes none. */
  readonly onFocus: (insert: InsertField | null) => void;
  /** A field of the payload was dropped. */
  readonly onInsert: (text: string) => void;
};

/** Takes a path and returns the text that it inserted; null: the field is gone. */
export type InsertField = (path: string) => string | null;

export const TemplateContext = createContext<TemplateContextValue>({
  names: [],
  onFocus: () => {},
  onInsert: () => {},
});

export function useTemplateContext(): TemplateContextValue {
  return useContext(TemplateContext);
}
