"use client";

import { useState } from "react";
import type { StepDraft } from "../draft/step-draft.ts";
import { describeResult, renameResult } from "../draft/step-sources.ts";
import type { StepResultView, StepRunView } from "../draft/step-views.ts";
import type { MappingPayload } from "../source/mapping-source.tsx";

/** The results of steps for the chosen delivery, from its last run or from the editor. */
type StepResultsState = {
  /** Finds the newest result. Null: none. */
  readonly find: (step: StepDraft) => StepResultView | null;
  readonly describe: (step: StepDraft) => string | null;
  /** The calls made with "Run this step". */
  readonly calls: ReadonlyMap<number, StepRunView>;
  /** Results as JSON text, by the id of the step. */
  readonly given: ReadonlyMap<number, string>;
  readonly addCall: (id: number, call: StepRunView) => void;
  /** Adds the value of a transform, from its preview. */
  readonly addValue: (id: number, result: StepResultView) => void;
  /** Called when another delivery is chosen. */
  readonly clear: () => void;
};

const none: ReadonlyMap<number, never> = new Map<number, never>();

export function useStepResults(payload: MappingPayload | null): StepResultsState {
  const [calls, setCalls] = useState<ReadonlyMap<number, StepRunView>>(none);
  const [values, setValues] = useState<ReadonlyMap<number, StepResultView>>(none);

  function find({ id, key, formerKey }: StepDraft): StepResultView | null {
    const stored = payload?.lastRun?.results.find((result) => result.key === formerKey);
    const found = calls.get(id)?.result ?? values.get(id) ?? stored;
    return found === undefined ? null : renameResult(found, key.trim());
  }

  return {
    find,
    describe: (step) => {
      const found = find(step);
      return found === null ? null : describeResult(found);
    },
    calls,
    given: new Map([...calls].map(([id, { resultJson }]) => [id, resultJson])),
    addCall: (id, call) => setCalls((before) => new Map(before).set(id, call)),
    addValue: (id, result) => setValues((before) => new Map(before).set(id, result)),
    clear: () => {
      setCalls(none);
      setValues(none);
    },
  };
}
