"use client";

import { useMemo } from "react";
import type { PayloadNodeView } from "#components/payload/payload-rows.ts";
import type { ForEachDraft } from "../draft/step-draft.ts";
import { addStepSources } from "../draft/step-sources.ts";
import type { StepResultView } from "../draft/step-views.ts";
import type { EditorState } from "./editor-state.ts";
import { findResult, type ShownStep } from "./read-editor.ts";

type Known = {
  readonly results: readonly StepResultView[];
  readonly forEach: ForEachDraft | null;
};

/** The names that the expanded step can use from the chosen delivery and from earlier steps. */
export function useStepSources(
  state: EditorState,
  { step, earlier }: ShownStep,
): PayloadNodeView | null {
  const payload = state.chosen?.payload.tree ?? null;
  // As text, because the results are computed again each time.
  const known = JSON.stringify({
    results: earlier.flatMap((one) => findResult(state, one) ?? []),
    forEach: step?.forEach ?? null,
  } satisfies Known);
  return useMemo(() => {
    const { results, forEach } = JSON.parse(known) as Known;
    return payload === null ? null : addStepSources(payload, results, forEach);
  }, [payload, known]);
}
