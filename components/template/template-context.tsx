"use client";

import { createContext, useContext } from "react";
import type { Suggestion } from "#components/ui/code/suggestion.ts";

export type TemplateContextValue = {
  /** The names that templates can use in the chosen delivery. */
  readonly names: readonly Suggestion[];
  /**
   * Called when a field gets the cursor, and when the cursor moves in it. Null: no payload field can
   * be inserted there.
   */
  readonly onCursor: (target: InsertTarget | null) => void;
  /** Called when a payload field was dropped. */
  readonly onInsert: (text: string) => void;
  /** Offers to skip deliveries in which a name is missing. Null: it can't be done here. */
  readonly offerLimit: (missing: string) => LimitOffer | null;
};

/** The place of the cursor, where a payload field can be inserted. */
export type InsertTarget = {
  /** How the place is called beside the payload. */
  readonly name: string;
  /** Takes a path and returns the inserted text. Null: the field is gone. */
  readonly insert: (path: string) => string | null;
};

type LimitOffer = { readonly label: string; readonly accept: () => void };

export const TemplateContext = createContext<TemplateContextValue>({
  names: [],
  onCursor: () => {},
  onInsert: () => {},
  offerLimit: () => null,
});

export function useTemplateContext(): TemplateContextValue {
  return useContext(TemplateContext);
}
