"use client";

import { createContext, type ReactNode, useContext } from "react";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { MarkedKind } from "#lib/schema/configuration-plan.ts";

/** Whose files manage things, by kind and id. */
type Marks = Readonly<Partial<Record<MarkedKind, Readonly<Record<string, string>>>>>;

const MarksContext = createContext<Marks>({});

type ManagedMarksProps = { readonly marks: Marks; readonly children: ReactNode };

/** Tells rows inside which of them files manage. */
export function ManagedMarks({ marks, children }: ManagedMarksProps) {
  const outer = useContext(MarksContext);
  return <MarksContext value={{ ...outer, ...marks }}>{children}</MarksContext>;
}

/** The badge of a row that configuration files manage. */
export function ManagedMark({ kind, id }: { readonly kind: MarkedKind; readonly id: string }) {
  const managedBy = useContext(MarksContext)[kind]?.[id];
  if (managedBy === undefined) return null;
  const name = safeText(managedBy);
  return (
    <span
      className="badge max-w-40 shrink-0 truncate justify-self-start"
      title={`Managed by code: ${name}`}
    >
      <span className="sr-only">Managed by </span>code: {name}
    </span>
  );
}
