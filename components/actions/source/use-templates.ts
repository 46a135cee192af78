"use client";

import { useMemo } from "react";
import type { PayloadNodeView } from "#components/payload/payload-rows.ts";
import { listNames } from "#components/template/complete-template.ts";
import type { TemplateContextValue } from "#components/template/template-context.tsx";
import type { FilterDraft } from "../draft/filter-draft.ts";
import { offerLimit, type SeenTypes } from "../filter/limit-filter.ts";

type TemplatesProps = Pick<TemplateContextValue, "onCursor" | "onInsert"> & {
  /** The names that the expanded step can use. */
  readonly tree: PayloadNodeView | null;
  readonly filter: FilterDraft;
  readonly types: SeenTypes;
  /** Always the same function: fields are drawn again when it changes. */
  readonly onFilter: (filter: FilterDraft) => void;
};

/** The context of the editor's template fields. */
export function useTemplates(props: TemplatesProps): TemplateContextValue {
  const { tree, filter, onCursor, onInsert, onFilter } = props;
  const { chosen, fitting } = props.types;
  const names = useMemo(() => (tree === null ? [] : listNames(tree)), [tree]);
  return useMemo(() => {
    const offer = (missing: string) => {
      const limit = offerLimit(filter, missing, { chosen, fitting });
      return limit && { label: limit.label, accept: () => onFilter(limit.filter) };
    };
    return { names, onCursor, onInsert, offerLimit: offer };
  }, [names, onCursor, onInsert, filter, chosen, fitting, onFilter]);
}
