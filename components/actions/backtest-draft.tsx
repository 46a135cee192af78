"use client";

import { BacktestDialog, type StartBacktest } from "#components/backtest/backtest-dialog.tsx";
import { type ActionDraft, readDraft } from "./draft/action-draft.ts";
import { readFormerKeys } from "./draft/former-keys.ts";

export type BacktestDraftProps = { readonly draft: ActionDraft; readonly start: StartBacktest };

/** The name doesn't affect what is sent, so an empty one must not block a backtest. */
export function BacktestDraft({ draft, start }: BacktestDraftProps) {
  return (
    <BacktestDialog
      readDraft={() => readDraft({ ...draft, name: draft.name.trim() || "Draft" })}
      start={(choice, json) => start(choice, json, readFormerKeys(draft))}
    />
  );
}
