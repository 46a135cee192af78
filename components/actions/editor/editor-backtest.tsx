"use client";

import { Suspense, useState } from "react";
import type { BacktestCommands } from "#components/backtest/backtest-panel.tsx";
import type { ListVersions } from "#components/backtest/version-choice.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { lazyPart } from "#components/ui/lazy-part.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import type { StartBacktest } from "./backtest-draft.tsx";
import type { Saving } from "./use-save-action.ts";

const BacktestPanel = lazyPart(
  "BacktestPanel",
  () => import("#components/backtest/backtest-panel.tsx"),
);

/** The props of an editor for backtests. */
export type BacktestProps = {
  /** The backtest to show first, from the URL. Null: none. */
  readonly backtestId: string | null;
  readonly backtests: BacktestCommands & {
    readonly start: StartBacktest;
    /** Null: the action is new. */
    readonly listVersions: ListVersions | null;
  };
};

type Shown = {
  readonly id: string;
  /** The draft that is tried. Null: unknown since the page was loaded again. */
  readonly text: string | null;
};

type EditorBacktestState = {
  readonly shown: Shown | null;
  readonly open: (id: string) => void;
  readonly close: () => void;
};

/** The backtest beside the draft. It is in the URL, so that a reload and going back keep it. */
export function useEditorBacktest(page: BacktestProps, draft: ActionDraft): EditorBacktestState {
  const { backtestId } = page;
  const [shown, setShown] = useState<Shown | null>(
    backtestId === null ? null : { id: backtestId, text: null },
  );

  function show(next: Shown | null) {
    setShown(next);
    const url = new URL(window.location.href);
    if (next === null) url.searchParams.delete("backtest");
    else url.searchParams.set("backtest", next.id);
    window.history.replaceState(null, "", url);
  }

  return {
    shown,
    open: (id) => show({ id, text: JSON.stringify(draft) }),
    close: () => show(null),
  };
}

type EditorBacktestProps = {
  readonly page: BacktestProps;
  readonly state: EditorBacktestState;
  readonly draft: ActionDraft;
  readonly saving: Saving;
};

/** The results of a backtest below the draft, with the way to save it. */
export function EditorBacktest({ page, state, draft, saving }: EditorBacktestProps) {
  const { shown, close } = state;
  if (shown === null) return null;
  const isOther = shown.text !== null && shown.text !== JSON.stringify(draft);
  return (
    <Suspense>
      <BacktestPanel
        id={shown.id}
        currentVersion={saving.version}
        commands={page.backtests}
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
