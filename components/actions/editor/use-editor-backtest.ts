"use client";

import { useState } from "react";
import type { ActionDraft } from "../draft/action-draft.ts";

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
export function useEditorBacktest(
  backtestId: string | null,
  draft: ActionDraft,
): EditorBacktestState {
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
