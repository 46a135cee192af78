"use client";

import { Button } from "#components/ui/button/button.tsx";
import { PreviewBadge } from "../preview/request-preview.tsx";
import { BacktestDraft } from "./backtest-draft.tsx";
import { RunOnDelivery } from "./run-on-delivery.tsx";
import { SaveState } from "./save-state.tsx";
import type { EditorPart } from "./use-editor.ts";
import type { Saving } from "./use-save-action.ts";

/** The commands of the editor, which stay in sight. */
export function EditorBar({ editor }: EditorPart) {
  const { page, state, saving, preview } = editor;
  const { backtests, replay } = page.commands;
  const actionId = page.action.id;
  const deliveryId = state.chosen?.delivery.id ?? null;
  return (
    <>
      <Button type="submit" form={editor.formId} isBusy={saving.isPending} title="Ctrl+S">
        Save action
      </Button>
      {actionId !== null && saving.isDirty && <NoteField saving={saving} />}
      {actionId !== null && deliveryId !== null && !saving.isDirty && (
        <RunOnDelivery actionId={actionId} deliveryId={deliveryId} replay={replay} />
      )}
      {deliveryId !== null && (
        <BacktestDraft draft={state.draft} {...backtests} onStarted={editor.backtest.open} />
      )}
      <SaveState editor={editor} />
      <span className="ml-auto">{preview !== null && <PreviewBadge preview={preview} />}</span>
    </>
  );
}

/** Why it is changed: for the people who read the versions later. Enter saves. */
function NoteField({ saving }: { readonly saving: Saving }) {
  return (
    <input
      aria-label="Note for this version"
      placeholder="Why? (optional)"
      autoComplete="off"
      value={saving.note}
      onChange={({ target }) => saving.setNote(target.value)}
      onKeyDown={({ key, nativeEvent }) => {
        if (key === "Enter" && !nativeEvent.isComposing) saving.save();
      }}
      className="control h-9 w-full min-w-0 sm:w-56"
    />
  );
}
