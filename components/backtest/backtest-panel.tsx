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
import { BacktestProgress } from "./backtest-progress.tsx";
import { BacktestResults } from "./backtest-results.tsx";
import type { ResultView } from "./describe-result.ts";

export type BacktestPage = {
  readonly backtest: BacktestState;
  readonly results: readonly ResultView[];
  readonly nextCursor: string | null;
  readonly nowMs: number;
};

export type BacktestCommands = {
  readonly read: (
    id: string,
    query: { readonly show: BacktestShow; readonly cursor: string | undefined },
  ) => Promise<CommandResult<BacktestPage>>;
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
  const [cursor, setCursor] = useState<string>();
  const read = useBacktestPage(id, { show, cursor }, commands.read);

  // It opens below what is being edited.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each backtest
  useEffect(() => {
    panel.current?.scrollIntoView({ block: "nearest" });
  }, [id]);

  function choose(next: BacktestShow) {
    setShow(next);
    setCursor(undefined);
  }

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
            <ShowButtons backtest={read.value.backtest} show={show} onChange={choose} />
            <Results page={read.value} currentVersion={currentVersion} />
            <Pages cursor={cursor} nextCursor={read.value.nextCursor} onChange={setCursor} />
          </>
        )}
      </Card>
    </section>
  );
}

/** Reads the page again while the backtest runs. The last one stays until the next is there. */
function useBacktestPage(
  id: string,
  query: Parameters<BacktestCommands["read"]>[1],
  read: BacktestCommands["read"],
): CommandResult<BacktestPage> | undefined {
  const [result, setResult] = useState<CommandResult<BacktestPage>>();
  const reading = useRef(read);
  reading.current = read;
  const { show, cursor } = query;

  useEffect(() => {
    let isOver = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async () => {
      const next = await reading.current(id, { show, cursor }).catch(() => serverUnreachable);
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
  }, [id, show, cursor]);

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

type ResultsProps = { readonly page: BacktestPage; readonly currentVersion: number | null };

function Results({ page: { backtest, results, nowMs }, currentVersion }: ResultsProps) {
  if (results.length === 0) {
    const text =
      backtest.status === "running" ? "They appear here as the backtest continues." : "None here.";
    return <p className="text-sm text-muted-foreground">{text}</p>;
  }
  const { against } = backtest;
  const other = against === currentVersion ? null : against;
  return <BacktestResults results={results} other={other} nowMs={nowMs} />;
}

type PagesProps = {
  readonly cursor: string | undefined;
  readonly nextCursor: string | null;
  readonly onChange: (cursor: string | undefined) => void;
};

function Pages({ cursor, nextCursor, onChange }: PagesProps) {
  if (cursor === undefined && nextCursor === null) return null;
  return (
    <div className="flex justify-end gap-2">
      {cursor !== undefined && (
        <Button look="secondary" onClick={() => onChange(undefined)}>
          Newest
        </Button>
      )}
      {nextCursor !== null && (
        <Button look="secondary" onClick={() => onChange(nextCursor)}>
          Older
        </Button>
      )}
    </div>
  );
}
