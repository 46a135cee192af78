"use client";

import { type ReadForm, sendJson } from "#components/ui/form/send-json.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import { parseExactJson } from "#lib/core/mapping/json/parse-exact-json.ts";
import type { CommandResult, FieldError } from "#lib/schema/field/command-result.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import { listEarlierSteps } from "../draft/edit-steps.ts";
import { type FilterDraft, readFilterDraft } from "../draft/filter-draft.ts";
import { readStepDraft, type StepDraft } from "../draft/step-draft.ts";
import type { StepPreviewView } from "../draft/step-views.ts";
import type { EditorState } from "./editor-state.ts";

/** The expanded step with everything that its preview depends on, as text. */
type StepQuestion = {
  readonly deliveryId: string;
  readonly filter: FilterDraft;
  readonly step: StepDraft;
  /** The action's timeout in seconds. */
  readonly timeout: string;
  readonly itemIndex: number;
  readonly branchOf: string | null;
  readonly earlier: readonly {
    readonly key: string;
    readonly formerKey: string | null;
    readonly kind: StepDraft["work"]["kind"];
    readonly code?: string;
    readonly when: FilterDraft;
    readonly hasItems: boolean;
    readonly onFailure: StepDraft["onFailure"];
    readonly branchOf: string | null;
    /** The step's result as JSON text, from running it in the editor. */
    readonly given?: string;
  }[];
};

export type StepCommand<Value> = (
  deliveryId: string,
  json: string,
) => Promise<CommandResult<Value>>;

type Asked = Pick<EditorState, "draft" | "itemIndex" | "calls"> & {
  readonly deliveryId: string;
  readonly step: StepDraft;
};

export function toStepQuestion(asked: Asked): StepQuestion {
  const { deliveryId, draft, step, itemIndex, calls } = asked;
  return {
    deliveryId,
    itemIndex,
    filter: draft.filter,
    // Steps that follow don't affect the preview.
    step: { ...step, onFailure: "stop", branch: [] },
    timeout: draft.options.timeoutMs,
    branchOf: findBranch(draft.steps, step.id),
    earlier: listEarlierSteps(draft.steps, step.id).map((one) => {
      const { id, key, formerKey, work, when, forEach, onFailure } = one;
      const known = calls.get(id)?.resultJson;
      return {
        key: key.trim(),
        formerKey,
        kind: work.kind,
        when,
        hasItems: forEach !== null,
        onFailure,
        branchOf: findBranch(draft.steps, id),
        ...(work.kind === "transform" ? { code: work.code } : {}),
        ...(known === undefined ? {} : { given: known }),
      };
    }),
  };
}

/** The key of the step that has this one in its branch. */
function findBranch(steps: ActionDraft["steps"], id: number): string | null {
  return steps.find(({ branch }) => branch.some((inner) => inner.id === id))?.key.trim() ?? null;
}

const previewPauseMs = 300;

/** The preview of one step and delivery. Others may have been chosen since. */
type StepPreview = {
  readonly stepId: number;
  readonly deliveryId: string;
  readonly result: CommandResult<StepPreviewView>;
};

/** The preview of a step, updated shortly after the last keystroke. Null: nothing to preview. */
export function useStepPreview(
  question: StepQuestion | null,
  previewStep: StepCommand<StepPreviewView>,
): StepPreview | undefined {
  return useLatestResponse(
    question === null ? null : JSON.stringify(question),
    previewPauseMs,
    async (text) => {
      const asked = JSON.parse(text) as StepQuestion;
      const { step, deliveryId } = asked;
      return { stepId: step.id, deliveryId, result: await askStep(asked, previewStep) };
    },
  );
}

/** Errors are returned with paths below the step. */
export async function askStep<Value>(
  question: StepQuestion,
  command: StepCommand<Value>,
): Promise<CommandResult<Value>> {
  const result = await sendJson(readQuestion(question), (json) =>
    command(question.deliveryId, json),
  ).catch(() => serverUnreachable);
  if (result.ok) return result;
  const errors = result.errors.map((error) => ({
    ...error,
    path: error.path.replace(/^step\./, ""),
  }));
  return { ...result, errors };
}

function readQuestion({ filter: given, step, ...question }: StepQuestion): ReadForm {
  const errors: FieldError[] = [];
  const filter = readFilterDraft(given);
  if (!filter.ok) errors.push(...filter.errors);
  const read = readStepDraft(step, "step", errors);
  if (errors.length > 0 || !filter.ok) return { ok: false, errors };
  const timeoutMs = Math.round(Number(question.timeout) * 1_000);
  return {
    ok: true,
    input: {
      filter: filter.filter,
      step: read,
      formerKey: step.formerKey,
      timeoutMs,
      itemIndex: question.itemIndex,
      branchOf: question.branchOf,
      earlier: question.earlier.map(readEarlier),
    },
  };
}

function readEarlier({ when, given, ...earlier }: StepQuestion["earlier"][number]) {
  const filter = readFilterDraft(when);
  const known = given === undefined ? undefined : parseExactJson(given);
  return {
    ...earlier,
    when: filter.ok ? filter.filter : null,
    ...(known?.ok === true ? { given: known.value } : {}),
  };
}
