"use client";

import { useMemo } from "react";
import type { PayloadNodeView } from "#components/payload/payload-rows.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import { addStepSources } from "../draft/step-sources.ts";
import type { StepResultView } from "../draft/step-views.ts";

/** The names that the expanded step can use from a delivery and from earlier steps. */
export function useStepSources(
  payload: PayloadNodeView | null,
  step: StepDraft | null,
  known: readonly StepResultView[],
): PayloadNodeView | null {
  const forEach = step?.forEach ?? null;
  const keys = JSON.stringify([known, forEach?.path]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: results are made again each time
  return useMemo(
    () => (payload === null ? null : addStepSources(payload, known, forEach)),
    [payload, keys],
  );
}
