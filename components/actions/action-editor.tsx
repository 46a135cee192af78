"use client";

import { useEffect, useId, useMemo, useState } from "react";
import { listNames } from "#components/template/complete-template.ts";
import { TemplateContext } from "#components/template/template-context.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { UnsavedGuard } from "#components/ui/form/unsaved-guard.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { ActionForm } from "./action-form.tsx";
import { BacktestDraft, type BacktestDraftProps } from "./backtest-draft.tsx";
import { type ActionDraft, isOneCall } from "./draft/action-draft.ts";
import { listErrors, placeErrors } from "./draft/action-errors.ts";
import type { ActionStart } from "./draft/action-presets.ts";
import { addToRequest } from "./draft/add-to-request.ts";
import {
  addStep,
  changeRequest,
  findInvalidStep,
  findStep,
  listEarlierSteps,
} from "./draft/edit-steps.ts";
import type { StepDraft } from "./draft/step-draft.ts";
import type { StepPreviewView, StepRunView, StoredAuths } from "./draft/step-views.ts";
import { EditorStarts } from "./editor-starts.tsx";
import type { ProposeExample } from "./example/paste-example.tsx";
import { type MappingDelivery, type MappingPayload, MappingSource } from "./source/mapping-source.tsx";
import { PreviewBadge } from "./preview/request-preview.tsx";
import { StepSide } from "./preview/step-side.tsx";
import { RunOnDelivery } from "./run-on-delivery.tsx";
import { SaveState } from "./save-state.tsx";
import type { TemplateStart } from "./templates/list-template-starts.ts";
import { type TallyFilter, useFilterTally } from "./use-filter-tally.ts";
import { useInsertion } from "./source/use-insertion.ts";
import { type SaveAction, useSaveAction } from "./use-save-action.ts";
import { useSaveKey } from "./use-save-key.ts";
import { askStep, type StepCommand, toStepQuestion, useStepPreview } from "./use-step-preview.ts";
import { useStepResults } from "./use-step-results.ts";
import { useStepSources } from "./use-step-sources.ts";
import { useStepsEditing } from "./use-steps-editing.ts";

export type ActionEditorProps = {
  readonly draft: ActionDraft;
  /** Null: not saved yet. */
  readonly actionId: string | null;
  /** The version that the form starts from. Null: not saved yet. */
  readonly version: number | null;
  readonly storedAuths: StoredAuths;
  readonly hookPath: string;
  readonly deliveries: readonly MappingDelivery[];
  readonly eventTypes: readonly string[];
  /** The first delivery to show. Null if nothing has arrived. */
  readonly deliveryId: string | null;
  readonly payload: MappingPayload | null;
  readonly save: SaveAction;
  readonly previewStep: StepCommand<StepPreviewView>;
  readonly runStep: StepCommand<StepRunView>;
  readonly startBacktest: BacktestDraftProps["start"];
  readonly tallyFilter: TallyFilter;
  readonly proposeExample: ProposeExample;
  /** Templates for a new action. Those for its hook's provider come first. */
  readonly templates?: readonly TemplateStart[];
  /** Runs the saved action on a delivery and returns how many runs were queued. */
  readonly replay: (
    deliveryId: string,
    actionIds: readonly string[],
  ) => Promise<CommandResult<number>>;
  readonly readPayload: (deliveryId: string) => Promise<CommandResult<MappingPayload>>;
  readonly listDeliveries: (
    eventType: string | undefined,
  ) => Promise<CommandResult<readonly MappingDelivery[]>>;
};

type Chosen = { readonly id: string; readonly payload: MappingPayload };

/** The action editor: a past delivery on the left, the steps beside it, and a live preview. */
export function ActionEditor(props: ActionEditorProps) {
  const { hookPath } = props;
  const formId = useId();
  const [draft, setDraft] = useState(props.draft);
  const [chosen, setChosen] = useState<Chosen | null>(firstChosen(props));
  const [itemIndex, setItemIndex] = useState(0);
  const [showsSteps, setShowsSteps] = useState(false);
  const insertion = useInsertion(add);
  const results = useStepResults(chosen?.payload ?? null);
  const { openId, setOpenId, actions } = useStepsEditing(draft.steps, changeSteps);
  const saving = useSaveAction({
    ...props,
    draft,
    setDraft,
    deliveryId: chosen?.id ?? null,
    onRejected: (errors) => setOpenId(findInvalidStep(draft.steps, errors) ?? openId),
  });
  const { save, saved, storedAuths, isDirty } = saving;
  const isOnly = isOneCall(draft);
  const isSimple = isOnly && !showsSteps;
  const found = findStep(draft.steps, (isSimple ? draft.steps[0]?.id : openId) ?? -1);
  const step = found?.step ?? null;
  const stepPath = isOnly ? "" : (found?.path ?? "");
  const question =
    chosen === null || step === null
      ? null
      : toStepQuestion({ deliveryId: chosen.id, draft, step, itemIndex, given: results.given });
  const preview = useStepPreview(question, props.previewStep);
  const tally = useFilterTally(draft.filter, props.tallyFilter);
  const errors = listErrors(saved, placeErrors(preview, stepPath));
  const view = preview?.ok === true ? preview.value : null;
  const earlier = step === null ? [] : listEarlierSteps(draft.steps, step.id);
  const known = earlier.flatMap((one) => results.find(one) ?? []);
  const tree = useStepSources(chosen?.payload.tree ?? null, step, known);
  const names = useMemo(() => (tree === null ? [] : listNames(tree)), [tree]);
  const { onFocus, onInsert } = insertion;
  const templates = useMemo(() => ({ names, onFocus, onInsert }), [names, onFocus, onInsert]);

  // Later steps can use the value of a transform.
  const value = view?.result ?? null;
  const { addValue } = results;
  const valueText = JSON.stringify(value);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each value
  useEffect(() => {
    if (value !== null && step !== null) addValue(step.id, value);
  }, [valueText]);

  function change(next: Partial<ActionDraft>) {
    saving.forget();
    setDraft((before) => ({ ...before, ...next }));
  }

  function changeSteps(next: (steps: readonly StepDraft[]) => readonly StepDraft[]) {
    saving.forget();
    setDraft((before) => ({ ...before, steps: next(before.steps) }));
  }

  /** Fills in the expanded call, or a new one. */
  function start({ name, request }: ActionStart) {
    if (name !== undefined) change({ name });
    if (step?.work.kind === "call")
      return changeSteps((steps) => changeRequest(steps, step.id, request));
    const added = addStep(draft.steps, "call");
    changeSteps(() => changeRequest(added.steps, added.id, request));
    setOpenId(added.id);
  }

  function startTemplate({ draft: next }: TemplateStart) {
    change(next);
    setShowsSteps(false);
    setOpenId(next.steps[0]?.id ?? null);
  }

  /** Adds a payload field when no request field has the cursor. */
  function add(path: string): string {
    const added = step?.work.kind === "call" ? addToRequest(step.work.request, path) : null;
    if (added === null || step === null)
      return "Place the cursor where the value goes, then choose the field again.";
    changeSteps((steps) => changeRequest(steps, step.id, added.change));
    toast(added.message);
    return added.message;
  }

  function choose(id: string, payload: MappingPayload) {
    results.clear();
    setItemIndex(0);
    setChosen({ id, payload });
  }

  async function runOpen(): Promise<CommandResult<unknown>> {
    if (question === null || step === null) return serverUnreachable;
    const result = await askStep(question, props.runStep);
    if (result.ok) results.addCall(step.id, result.value);
    return result;
  }

  useSaveKey(save);

  const lastRun = chosen?.payload.lastRun ?? null;
  const last = step === null ? null : results.find(step);
  return (
    <TemplateContext value={templates}>
      <UnsavedGuard isDirty={isDirty} />
      <EditorStarts
        isNew={props.actionId === null}
        deliveryId={chosen?.id ?? null}
        proposeExample={props.proposeExample}
        templates={props.templates ?? []}
        onStart={start}
        onTemplate={startTemplate}
      />
      <div
        className={
          "grid grid-cols-1 items-start gap-5 lg:grid-cols-[17rem_minmax(0,1fr)] " +
          "xl:-mx-4 xl:grid-cols-[14.5rem_minmax(0,1fr)_19rem] xl:gap-4 2xl:-mx-16 " +
          "2xl:gap-5 2xl:grid-cols-[20rem_minmax(0,1fr)_20rem]"
        }
      >
        <Card
          className={
            "max-h-96 min-w-0 overflow-y-auto p-4 lg:sticky lg:top-4 " +
            "lg:row-span-2 lg:max-h-[calc(100dvh-2rem)] xl:row-span-1"
          }
        >
          <h2 className="mb-3 font-semibold">Payload received</h2>
          {chosen === null || tree === null ? (
            <p className="text-sm text-muted-foreground">
              No accepted deliveries yet. When the first one arrives, its fields appear here.{" "}
              <NextLink href={hookPath}>Send a test delivery from the hook's page</NextLink>
            </p>
          ) : (
            <MappingSource
              deliveries={props.deliveries}
              eventTypes={props.eventTypes}
              deliveryId={chosen.id}
              payload={chosen.payload}
              tree={tree}
              onChoose={choose}
              readPayload={props.readPayload}
              listDeliveries={props.listDeliveries}
              onPick={insertion.insert}
            />
          )}
          <p
            aria-live="polite"
            className="mt-3 text-sm break-words text-muted-foreground empty:hidden"
          >
            {insertion.message}
          </p>
        </Card>
        <Card className="min-w-0">
          <div className="p-4">
            <h2 className="mb-3 font-semibold">Action</h2>
            <ActionForm
              id={formId}
              draft={draft}
              onChange={change}
              onFocus={insertion.onFormFocus}
              onSubmit={save}
              errors={errors}
              view={{
                steps: draft.steps,
                openId,
                errors,
                preview: view,
                storedAuths,
                describeOutput: results.describe,
              }}
              actions={actions}
              isSimple={isSimple}
              onShowSteps={() => setShowsSteps(true)}
              rejection={saved?.ok === false ? saved : undefined}
              verdict={view?.verdict ?? null}
              tally={tally}
            />
          </div>
          <div
            data-commands="action"
            className="sticky bottom-0 flex flex-wrap items-center gap-3 rounded-b-lg border-t bg-card px-4 py-3"
          >
            <Button type="submit" form={formId} isBusy={saving.isPending} title="Ctrl+S">
              Save action
            </Button>
            {props.actionId !== null && chosen !== null && !isDirty && (
              <RunOnDelivery
                actionId={props.actionId}
                deliveryId={chosen.id}
                replay={props.replay}
              />
            )}
            {chosen !== null && <BacktestDraft draft={draft} start={props.startBacktest} />}
            <SaveState isDirty={isDirty} rejection={saved?.ok === false ? saved.message : null} />
            <span className="ml-auto">{view !== null && <PreviewBadge preview={view} />}</span>
          </div>
        </Card>
        <Card
          className={
            "grid min-w-0 grid-cols-1 gap-4 p-4 xl:sticky xl:top-4 " +
            "xl:max-h-[calc(100dvh-2rem)] xl:overflow-y-auto"
          }
        >
          {step === null ? (
            <p className="text-sm text-muted-foreground">Expand a step to see what it would do.</p>
          ) : (
            <StepSide
              key={step.id}
              step={step}
              isOnly={isSimple}
              preview={view}
              waiting={describeWaiting(chosen, step, preview)}
              missing={earlier
                .filter((one) => one.work.kind === "call" && results.find(one) === null)
                .map(({ key }) => key)}
              call={results.calls.get(step.id) ?? null}
              run={chosen === null ? null : runOpen}
              last={
                lastRun === null || last === null || chosen === null || step.work.kind !== "call"
                  ? null
                  : { result: last, deliveryPath: `/deliveries/${chosen.id}` }
              }
              onItem={setItemIndex}
            />
          )}
        </Card>
      </div>
    </TemplateContext>
  );
}

function firstChosen({ deliveryId, payload }: ActionEditorProps): Chosen | null {
  return deliveryId === null || payload === null ? null : { id: deliveryId, payload };
}

function describeWaiting(
  chosen: Chosen | null,
  { work }: StepDraft,
  preview: CommandResult<unknown> | undefined,
): string {
  if (chosen === null) return "The request appears here after the hook accepts a delivery.";
  if (work.kind === "call" && work.request.url.trim() === "")
    return "Enter a URL to preview the request.";
  return preview?.ok === false ? preview.message : "Loading preview…";
}
