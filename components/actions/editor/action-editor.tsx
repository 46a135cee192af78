"use client";

import { useEffect, useId, useState } from "react";
import { TemplateContext } from "#components/template/template-context.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ActionDraft, isOneCall } from "../draft/action-draft.ts";
import { listErrors, placeErrors, textsAt } from "../draft/action-errors.ts";
import type { ActionStart } from "../draft/action-presets.ts";
import { addToRequest, nameAddPlace } from "../draft/add-to-request.ts";
import {
  addStep,
  changeRequest,
  findInvalidStep,
  findStep,
  listEarlierSteps,
} from "../draft/edit-steps.ts";
import type { StepDraft } from "../draft/step-draft.ts";
import type { MappingDelivery } from "../source/mapping-delivery.ts";
import type { MappingPayload } from "../source/mapping-source.tsx";
import { useInsertion } from "../source/use-insertion.ts";
import { useTemplates } from "../source/use-templates.ts";
import { StepsDrawing } from "../steps/steps-drawing.tsx";
import { useStartedDraft, useStoredDraft } from "../stored/use-stored-draft.ts";
import type { TemplateStart } from "../templates/list-template-starts.ts";
import type { ActionEditorProps } from "./action-editor-props.ts";
import { ActionForm } from "./action-form.tsx";
import { DraftNotice } from "./draft-notice.tsx";
import { EditorBacktest, useEditorBacktest } from "./editor-backtest.tsx";
import { EditorBar } from "./editor-bar.tsx";
import { EditorColumns } from "./editor-columns.tsx";
import { EditorStarts } from "./editor-starts.tsx";
import { EditorTop } from "./editor-top.tsx";
import { type Chosen, PayloadColumn, readFirstChosen } from "./payload-column.tsx";
import { StepSide } from "./step-side.tsx";
import { useFilterTally } from "./use-filter-tally.ts";
import { useSaveAction } from "./use-save-action.ts";
import { useSaveKey } from "./use-save-key.ts";
import { askStep, toStepQuestion, useStepPreview } from "./use-step-preview.ts";
import { useStepResults } from "./use-step-results.ts";
import { useStepSources } from "./use-step-sources.ts";
import { useStepsEditing } from "./use-steps-editing.ts";

/** The action editor: a past delivery on the left, the steps beside it, and a live preview. */
export function ActionEditor(props: ActionEditorProps) {
  const { hookPath } = props;
  const formId = useId();
  const { draft, setDraft, started } = useStartedDraft(props);
  const [chosen, setChosen] = useState<Chosen | null>(readFirstChosen(props));
  const deliveryId = chosen?.delivery.id ?? null;
  const eventType = chosen?.delivery.eventType ?? null;
  /** The event type of a delivery that the mapping fitted, before another one was chosen. */
  const [fittingType, setFittingType] = useState<string | null>(null);
  const [itemIndex, setItemIndex] = useState(0);
  const [showsSteps, setShowsSteps] = useState(false);
  const insertion = useInsertion(add);
  const results = useStepResults(chosen?.payload ?? null);
  const { openId, setOpenId, actions } = useStepsEditing(draft.steps, changeSteps);
  const saving = useSaveAction({
    ...props,
    ...{ draft, setDraft, started, deliveryId },
    onRejected: (errors) => setOpenId(findInvalidStep(draft.steps, errors) ?? openId),
  });
  const { save, saved, storedAuths } = saving;
  const backtest = useEditorBacktest(props, draft);
  const stored = useStoredDraft(props, started.keeper, { ...saving, draft });
  const isOnly = isOneCall(draft);
  const isSimple = isOnly && !showsSteps;
  const found = findStep(draft.steps, (isSimple ? draft.steps[0]?.id : openId) ?? -1);
  const step = found?.step ?? null;
  const stepPath = isOnly ? "" : (found?.path ?? "");
  const question =
    deliveryId === null || step === null
      ? null
      : toStepQuestion({ deliveryId, draft, step, itemIndex, given: results.given });
  const preview = useStepPreview(question, props.previewStep);
  const tally = useFilterTally(draft.filter, props.tallyFilter);
  const view = preview?.ok === true ? preview.value : null;
  const isSkipped = view?.verdict?.matches === false;
  // A delivery that the filter skips may lack fields.
  const errors = listErrors(saved, placeErrors(isSkipped ? undefined : preview, stepPath));
  const earlier = step === null ? [] : listEarlierSteps(draft.steps, step.id);
  const known = earlier.flatMap((one) => results.find(one) ?? []);
  const tree = useStepSources(chosen?.payload.tree ?? null, step, known);
  const { onCursor, onInsert } = insertion;
  const templates = useTemplates({
    tree,
    filter: draft.filter,
    types: { chosen: eventType, fitting: fittingType },
    onFilter: (filter) => change({ filter }),
    onCursor,
    onInsert,
  });

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

  function choose(delivery: MappingDelivery, payload: MappingPayload) {
    if (view?.code === null && !isSkipped) setFittingType(eventType);
    results.clear();
    setItemIndex(0);
    setChosen({ delivery, payload });
  }

  async function runOpen(): Promise<CommandResult<unknown>> {
    if (question === null || step === null) return serverUnreachable;
    const result = await askStep(question, props.runStep);
    if (result.ok) results.addCall(step.id, result.value);
    return result;
  }

  useSaveKey(save);
  // The field with the cursor is gone.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step
  useEffect(() => onCursor(null), [step?.id, isSimple]);
  const addPlace = step?.work.kind === "call" ? nameAddPlace(step.work.request) : null;
  const insertsInto = insertion.targetName ?? addPlace;

  const lastRun = chosen?.payload.lastRun ?? null;
  const last = step === null ? null : results.find(step);
  const starts = (
    <EditorStarts
      isNew={props.actionId === null}
      startWith={props.startWith ?? null}
      deliveryId={deliveryId}
      hookPath={hookPath}
      proposeExample={props.proposeExample}
      templates={props.templates ?? []}
      onStart={start}
      onTemplate={startTemplate}
    />
  );
  return (
    <TemplateContext value={templates}>
      <div inert={saving.isInert} className="contents">
        <DraftNotice page={props} stored={stored} saving={saving} />
        <EditorTop
          formId={formId}
          isNew={props.actionId === null}
          draft={draft}
          onChange={change}
          nameError={textsAt(errors, "name")[0]}
        >
          {props.actionId !== null && starts}
        </EditorTop>
        {props.actionId === null && starts}
        {!isSimple && <StepsDrawing steps={draft.steps} openId={openId} onOpen={setOpenId} />}
        <EditorColumns
          payload={
            <PayloadColumn
              chosen={chosen}
              tree={tree}
              hookPath={hookPath}
              message={insertion.message}
              deliveries={props.deliveries}
              eventTypes={props.eventTypes}
              insertsInto={insertsInto}
              onChoose={choose}
              readPayload={props.readPayload}
              listDeliveries={props.listDeliveries}
              onPick={insertion.insert}
            />
          }
          form={
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
                showsOptions: isOnly && showsSteps,
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
              eventType={eventType}
              eventTypes={props.eventTypes}
            />
          }
          preview={
            step === null ? (
              <p className="text-sm text-muted-foreground">
                Expand a step to see what it would do.
              </p>
            ) : (
              <StepSide
                key={step.id}
                step={step}
                isOnly={isSimple}
                preview={view}
                problem={preview?.ok === false ? preview.message : null}
                missing={earlier
                  .filter((one) => one.work.kind === "call" && results.find(one) === null)
                  .map(({ key }) => key)}
                call={results.calls.get(step.id) ?? null}
                run={chosen === null ? null : runOpen}
                last={
                  lastRun === null || last === null || step.work.kind !== "call"
                    ? null
                    : { result: last, deliveryPath: `/deliveries/${deliveryId}` }
                }
                onItem={setItemIndex}
              />
            )
          }
          bar={
            <EditorBar
              formId={formId}
              page={props}
              deliveryId={deliveryId}
              draft={draft}
              saving={saving}
              stored={stored}
              preview={view}
              onBacktest={backtest.open}
            />
          }
        />
        <EditorBacktest page={props} state={backtest} draft={draft} saving={saving} />
      </div>
    </TemplateContext>
  );
}
