"use client";

import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { classNames } from "#components/ui/class-names.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { NextLink } from "#components/ui/next-link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import type { BacktestShow, BacktestState } from "#lib/schema/act/backtest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { listTabs } from "./backtest-counts.ts";
import { BacktestGroups, type GroupView, type ListGroupResults } from "./backtest-groups.tsx";
import { BacktestProgress } from "./backtest-progress.tsx";

export type BacktestPage = {
  readonly backtest: BacktestState;
  readonly groups: readonly GroupView[];
  readonly nowMs: number;
};

export type BacktestCommands = {
  readonly read: (id: string, show: BacktestShow) => Promise<CommandResult<BacktestPage>>;
  readonly listGroup: ListGroupResults;
  readonly cancel: (id: string) => Promise<CommandResult<null>>;
};

type BacktestPanelProps = {
  readonly id: string;
  readonly currentVersion: number | null;
  readonly commands: BacktestCommands;
  readonly onClose: () => void;
  /** The commands for the draft. */
  readonly children: ReactNode;
};

const pollMs = 1_000;

/** A backtest beside the draft that it tries. Its results can be read while the draft is changed. */
export function BacktestPanel(props: BacktestPanelProps) {
  const { id, currentVersion, commands, onClose, children } = props;
  const titleId = useId();
  const panel = useRef<HTMLElement>(null);
  const [show, setShow] = useState<BacktestShow>("");
  const read = useBacktestPage(id, show, commands.read);

  // It opens below what is being edited.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each backtest
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [id]);

  return (
    <section ref={panel} aria-labelledby={titleId} className="scroll-mt-4 scroll-mb-24">
      <Card className="grid grid-cols-1 gap-4 p-4">
        <div className="flex flex-wrap items-center gap-3">
          <h2 id={titleId} className="mr-auto font-semibold">
            Backtest
          </h2>
          {children}
          <span className="text-sm">
            <NextLink href={`/backtests/${id}`}>Open as a page</NextLink>
          </span>
          <Button look="secondary" className="h-8" onClick={onClose}>
            Close
          </Button>
        </div>
        {read?.ok === false && <Notice tone="negative">{read.message}</Notice>}
        {read === undefined && (
          <p className="text-sm text-muted-foreground" role="status">
            Loading results…
          </p>
        )}
        {read?.ok === true && (
          <>
            <BacktestProgress
              backtest={read.value.backtest}
              currentVersion={currentVersion}
              nowMs={read.value.nowMs}
              cancel={commands.cancel}
            />
            <ShowButtons backtest={read.value.backtest} show={show} onChange={setShow} />
            <Results
              page={read.value}
              show={show}
              currentVersion={currentVersion}
              list={commands.listGroup}
            />
          </>
        )}
      </Card>
    </section>
  );
}

/** Reads the page again while the backtest runs. The last one stays until the next is there. */
function useBacktestPage(
  id: string,
  show: BacktestShow,
  read: BacktestCommands["read"],
): CommandResult<BacktestPage> | undefined {
  const [result, setResult] = useState<CommandResult<BacktestPage>>();
  const reading = useRef(read);
  reading.current = read;

  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const next = await reading.current(id, show).catch(() => serverUnreachable);
      if (isOver) return;
      setResult(next);
      const isRunning = next.ok && next.value.backtest.status === "running";
      if (isRunning || !next.ok)
        timer = setTimeout(() => void ask(), next.ok ? pollMs : pollMs * 5);
    };
    void ask();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [id, show]);

  return result;
}

type ShowButtonsProps = {
  readonly backtest: BacktestState;
  readonly show: BacktestShow;
  readonly onChange: (show: BacktestShow) => void;
};

function ShowButtons({ backtest, show, onChange }: ShowButtonsProps) {
  return (
    <fieldset aria-label="Results to show" className="flex flex-wrap gap-1">
      {listTabs(backtest).map((tab) => (
        <button
          key={tab.show}
          type="button"
          aria-pressed={tab.show === show}
          onClick={() => onChange(tab.show)}
          className={classNames(
            "rounded-md px-2.5 py-1.5 text-sm font-medium tabular-nums",
            tab.show === show
              ? "bg-muted"
              : "text-muted-foreground hover:bg-muted hover:text-foreground",
          )}
        >
          {tab.name}
        </button>
      ))}
    </fieldset>
  );
}

type ResultsProps = {
  readonly page: BacktestPage;
  readonly show: BacktestShow;
  readonly currentVersion: number | null;
  readonly list: ListGroupResults;
};

function Results({ page: { backtest, groups }, show, currentVersion, list }: ResultsProps) {
  if (groups.length === 0) {
    const text =
      backtest.status === "running" ? "They appear here as the backtest continues." : "None here.";
    return <p className="text-sm text-muted-foreground">{text}</p>;
  }
  const { id, against } = backtest;
  const other = against === currentVersion ? null : against;
  return <BacktestGroups {...{ id, show, groups, other, list }} />;
}
