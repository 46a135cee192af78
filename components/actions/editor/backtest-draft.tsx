"use client";

import { BacktestDialog } from "#components/backtest/backtest-dialog.tsx";
import type { BacktestChoice } from "#components/backtest/backtest-form.tsx";
import type { ListVersions } from "#components/backtest/version-choice.tsx";
import { sendJson } from "#components/ui/form/send-json.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ActionDraft, readDraft } from "../draft/action-draft.ts";
import { readFormerKeys } from "../draft/former-keys.ts";

/**
 * `formerKeys`: the current keys of steps, with the keys that they had when the action was last
 * saved.
 */
export type StartBacktest = (
  choice: BacktestChoice,
  json: string,
  formerKeys: Readonly<Record<string, string>>,
) => Promise<CommandResult<{ readonly id: string }>>;

type BacktestDraftProps = {
  readonly draft: ActionDraft;
  readonly start: StartBacktest;
  /** Null: the action is new. */
  readonly listVersions: ListVersions | null;
  readonly onStarted: (id: string) => void;
};

/** The name doesn't affect what is sent, so an empty one must not block a backtest. */
export function BacktestDraft({ draft, start, listVersions, onStarted }: BacktestDraftProps) {
  const named = { ...draft, name: draft.name.trim() || "Draft" };
  return (
    <BacktestDialog
      title="Backtest this draft"
      version={null}
      lead={
        "Runs the draft against deliveries that this hook has accepted, and compares each request " +
        "with what was saved. Nothing is sent."
      }
      start={(choice) =>
        sendJson(readDraft(named), (json) => start(choice, json, readFormerKeys(draft)))
      }
      listVersions={listVersions}
      onStarted={onStarted}
    />
  );
}
