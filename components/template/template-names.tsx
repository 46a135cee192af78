"use client";

import { createContext, type ReactNode, useContext } from "react";
import type { Suggestion } from "./complete-template.ts";

const TemplateNames = createContext<readonly Suggestion[]>([]);

/** The template names of the chosen delivery, for the fields below. */
export function TemplateNamesProvider({
  names,
  children,
}: {
  names: readonly Suggestion[];
  children: ReactNode;
}) {
  return <TemplateNames value={names}>{children}</TemplateNames>;
}

export function useTemplateNames(): readonly Suggestion[] {
  return useContext(TemplateNames);
}
