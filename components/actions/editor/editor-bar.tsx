"use client";

import { Button } from "#components/ui/button/button.tsx";
import { PreviewBadge } from "../preview/request-preview.tsx";
import { BacktestDraft } from "./backtest-draft.tsx";
import { RunOnDelivery } from "./run-on-delivery.tsx";
import { SaveState } from "./save-state.tsx";
import type { EditorPart } from "./use-editor.ts";

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
