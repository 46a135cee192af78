"use client";

import { useCallback, useEffect, useId, useReducer, useRef, useState } from "react";
import { announce, toast } from "#components/ui/feedback/toast.ts";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { listErrors, placeErrors } from "../draft/action-errors.ts";
import { addToRequest, nameAddPlace } from "../draft/add-to-request.ts";
import type { FilterDraft } from "../draft/filter-draft.ts";
import { useInsertion } from "../source/use-insertion.ts";
import { useTemplates } from "../source/use-templates.ts";
import { chooseStart, draftCopies } from "../stored/draft-copies.ts";
import { DraftKeeper } from "../stored/draft-keeper.ts";
import { useStoredDraft } from "../stored/use-stored-draft.ts";
import type { ActionEditorProps } from "./action-editor-props.ts";
import { type EditorReaction, startEditor } from "./editor-state.ts";
import { findShownStep } from "./read-editor.ts";
import { reduceEditor } from "./reduce-editor.ts";
import { useEditorBacktest } from "./use-editor-backtest.ts";
import { useFilterTally } from "./use-filter-tally.ts";
import { findCreated, useSaveAction } from "./use-save-action.ts";
import { askStep, toStepQuestion, useStepPreview } from "./use-step-preview.ts";
import { useStepSources } from "./use-step-sources.ts";

/** The editor, for each of its parts. */
export type Editor = ReturnType<typeof useEditor>;
export type EditorPart = { readonly editor: Editor };

/** Connects the editor's state with the server: drafts, saves, previews, runs, and backtests. */
export function useEditor(page: ActionEditorProps) {
  const { action, commands } = page;
  const formId = useId();
  const { keeper, start } = useStart(page);
  const [state, send] = useReducer(reduceEditor, page, ({ action, source }) =>
    startEditor({ action, source, start, saved: findCreated(action.id) }),
  );
  const { draft, chosen } = state;
  const shown = findShownStep(state);
  const { step } = shown;
  const saving = useSaveAction({
    ...{ state, send, keeper },
    isNew: action.id === null,
    command: commands.save,
  });
  const stored = useStoredDraft({
    ...{ keeper, draft, version: state.base.version, isDirty: saving.isDirty },
    ...{ stored: page.stored, restart: page.restart },
  });
  const backtest = useEditorBacktest(page.backtestId, draft);
  const question =
    chosen === null || step === null
      ? null
      : toStepQuestion({ ...state, step, deliveryId: chosen.delivery.id });
  const preview = useStepPreview(question, commands.previewStep);
  const view = preview?.result.ok === true ? preview.result.value : null;
  // A delivery that the filter skips may lack fields.
  const isSkipped = view?.verdict?.matches === false;
  const errors = listErrors(
    state.saved,
    placeErrors(isSkipped ? undefined : preview?.result, shown.path),
  );
  const tally = useFilterTally(draft.filter, commands.tallyFilter);
  const tree = useStepSources(state, shown);
  const request = step?.work.kind === "call" ? step.work.request : null;
  const insertion = useInsertion({
    place: `${step?.id} ${shown.isSimple}`,
    add,
    addPlace: request === null ? null : nameAddPlace(request),
  });
  const { onCursor, onInsert } = insertion;
  const onFilter = useCallback(
    (filter: FilterDraft) => send({ kind: "changed", change: { filter } }),
    [],
  );
  const chosenType = chosen?.delivery.eventType ?? null;
  const templates = useTemplates({
    tree,
    filter: draft.filter,
    types: { chosen: chosenType, fitting: state.fittingType },
    ...{ onFilter, onCursor, onInsert },
  });

  // Later steps can use the value of a transform.
  useEffect(() => {
    const value = preview?.result.ok === true ? preview.result.value.result : null;
    if (preview !== undefined && value !== null)
      send({ kind: "value_computed", id: preview.stepId, value });
  }, [preview]);
  useReaction(state.reaction);
  useSaveKey(saving.save);

  /** Adds a payload field when no request field has the cursor. */
  function add(path: string): string {
    const added = request === null ? null : addToRequest(request, path);
    if (added === null || step === null)
      return "Place the cursor where the value goes, then choose the field again.";
    send({ kind: "request_changed", id: step.id, change: added.change });
    return added.message;
  }

  async function runStep(): Promise<CommandResult<unknown>> {
    if (question === null || step === null) return serverUnreachable;
    const result = await askStep(question, commands.runStep);
    if (result.ok) send({ kind: "call_made", id: step.id, call: result.value });
    return result;
  }

  return {
    ...{ page, formId, state, send, shown, saving, stored, backtest, templates },
    ...{ errors, tally, tree, insertion, runStep },
    preview: view,
    /** The reason why there is no preview. Null: it is being made, or nothing can be previewed yet. */
    previewProblem: preview?.result.ok === false ? preview.result.message : null,
    /** Whether the mapping can be sent for the chosen delivery. Null: its preview isn't there yet. */
    fits: preview?.deliveryId === chosen?.delivery.id ? view?.code === null && !isSkipped : null,
  };
}

/** The draft from before or else the saved action, and the keeper of the draft. */
function useStart({ action, stored, commands }: ActionEditorProps) {
  const [started] = useState(() => {
    const start = chooseStart({ ...action, stored });
    return { start, keeper: new DraftKeeper(start, commands.drafts, draftCopies(stored.key)) };
  });
  return started;
}

/** Does once what the last event asks of the page. */
function useReaction(reaction: EditorReaction | null) {
  const done = useRef(reaction);

  useEffect(() => {
    if (reaction === null || done.current === reaction) return;
    done.current = reaction;
    if (reaction.warn !== undefined) toast(reaction.warn, { tone: "caution" });
    if (reaction.announce !== undefined) announce(reaction.announce);
    const element =
      reaction.focus === undefined ? null : document.querySelector<HTMLElement>(reaction.focus);
    element?.focus();
    if (element instanceof HTMLInputElement) element.select();
  }, [reaction]);
}

/** Saves on Ctrl+S and ⌘S anywhere on the page. */
function useSaveKey(onSave: () => void) {
  const latest = useRef(onSave);
  latest.current = onSave;

  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (
        !(event.ctrlKey || event.metaKey) ||
        event.shiftKey ||
        event.altKey ||
        event.key.toLowerCase() !== "s"
      )
        return;
      event.preventDefault();
      latest.current();
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
