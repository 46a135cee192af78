"use client";

import { useRouter } from "next/navigation";
import { BacktestDialog } from "#components/backtest/backtest-dialog.tsx";
import type { BacktestChoice } from "#components/backtest/backtest-form.tsx";
import type { ListVersions } from "#components/backtest/version-choice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type BacktestVersionProps = {
  readonly number: number;
  readonly start: (choice: BacktestChoice) => Promise<CommandResult<{ readonly id: string }>>;
  readonly listVersions: ListVersions;
};

/** Compares a version with any other, over past deliveries. */
export function BacktestVersion({ number, start, listVersions }: BacktestVersionProps) {
  const router = useRouter();
  return (
    <BacktestDialog
      title={`Backtest version ${number}`}
      version={number}
      lead={
        `Runs version ${number} against deliveries that this hook has accepted, and compares each ` +
        "request with another version. Nothing is sent."
      }
      start={start}
      listVersions={listVersions}
      onStarted={(id) => router.push(`/backtests/${id}`)}
    />
  );
}
