"use client";

import { Suspense } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import type { EditorPart } from "./use-editor.ts";

const BacktestPanel = lazyPart(
  "BacktestPanel",
  () => import("#components/backtest/backtest-panel.tsx"),
);

/** The results of a backtest below the draft, with the way to save it. */
export function EditorBacktest({ editor }: EditorPart) {
  const { page, state, saving, backtest } = editor;
  const { shown, close } = backtest;
  if (shown === null) return null;
  const isOther = shown.text !== null && shown.text !== JSON.stringify(state.draft);
  return (
    <Suspense>
      <BacktestPanel
        id={shown.id}
        currentVersion={state.base.version}
        commands={page.commands.backtests}
        onClose={close}
      >
        {isOther && saving.isDirty && (
          <span className="text-sm text-caution">The draft has changed since.</span>
        )}
        {saving.isDirty && (
          <Button className="h-8" isBusy={saving.isPending} onClick={saving.save}>
            Save this draft
          </Button>
        )}
      </BacktestPanel>
    </Suspense>
  );
}
