"use client";

import { Button } from "#components/ui/button/button.tsx";
import type { ActionDraft } from "../draft/action-draft.ts";
import type { StepPreviewView } from "../draft/step-views.ts";
import { PreviewBadge } from "../preview/request-preview.tsx";
import type { StoredDraftState } from "../stored/use-stored-draft.ts";
import { BacktestDraft } from "./backtest-draft.tsx";
import type { BacktestProps } from "./editor-backtest.tsx";
import { RunOnDelivery, type RunOnDeliveryProps } from "./run-on-delivery.tsx";
import { SaveState } from "./save-state.tsx";
import type { Saving } from "./use-save-action.ts";

type EditorBarProps = {
  readonly formId: string;
  /** `actionId` is null: not saved yet. */
  readonly page: BacktestProps &
    Pick<RunOnDeliveryProps, "replay"> & { readonly actionId: string | null };
  /** Null: no delivery is shown. */
  readonly deliveryId: string | null;
  readonly draft: ActionDraft;
  readonly saving: Saving;
  readonly stored: StoredDraftState;
  readonly preview: StepPreviewView | null;
  readonly onBacktest: (id: string) => void;
};

/** The commands of the editor, which stay in sight. */
export function EditorBar(props: EditorBarProps) {
  const { formId, page, deliveryId, draft, saving, stored, preview, onBacktest } = props;
  const { actionId, backtests, replay } = page;
  return (
    <>
      <Button type="submit" form={formId} isBusy={saving.isPending} title="Ctrl+S">
        Save action
      </Button>
      {actionId !== null && deliveryId !== null && !saving.isDirty && (
        <RunOnDelivery actionId={actionId} deliveryId={deliveryId} replay={replay} />
      )}
      {deliveryId !== null && <BacktestDraft draft={draft} {...backtests} onStarted={onBacktest} />}
      <SaveState saving={saving} stored={stored} />
      <span className="ml-auto">{preview !== null && <PreviewBadge preview={preview} />}</span>
    </>
  );
}
