"use client";

import { ChevronRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { Card } from "#components/ui/layout/card.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Notice } from "#components/ui/status/notice.tsx";
import { QuietStatus } from "#components/ui/status/quiet-status.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { BacktestShow } from "#lib/schema/act/backtest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { BacktestResults } from "./backtest-results.tsx";
import { ChangedValue } from "./changed-value.tsx";
import { describeResult, listChangedValues, outcomes, type ResultView } from "./describe-result.ts";

export type GroupView = { readonly count: number; readonly example: ResultView };

type ResultPage = {
  readonly results: readonly ResultView[];
  readonly nextCursor: string | null;
  readonly nowMs: number;
};

export type ListGroupResults = (
  id: string,
  query: {
    readonly show: BacktestShow;
    readonly changeKey: string;
    readonly cursor: string | undefined;
  },
) => Promise<CommandResult<ResultPage>>;

type BacktestGroupsProps = {
  readonly id: string;
  readonly show: BacktestShow;
  readonly groups: readonly GroupView[];
  /** The version that they are compared with. Null: the one in force, or none. */
  readonly other: number | null;
  readonly list: ListGroupResults;
};

/** One line for each way in which results differ. Expanded, it has the deliveries. */
export function BacktestGroups({ id, show, groups, other, list }: BacktestGroupsProps) {
  return (
    <Card className="overflow-hidden">
      <ul aria-label="Results" className="divide-y text-sm">
        {groups.map(({ count, example }) => {
          const { changeKey } = example;
          return (
            <li key={`${changeKey} ${example.isChanged}`}>
              <Group
                count={count}
                example={example}
                other={other}
                list={(cursor) => list(id, { show, changeKey, cursor })}
              />
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

type GroupProps = GroupView & {
  readonly other: number | null;
  readonly list: (cursor: string | undefined) => Promise<CommandResult<ResultPage>>;
};

function Group({ count, example, other, list }: GroupProps) {
  const [isOpen, setOpen] = useState(false);
  const { label, tone } = outcomes[example.outcome];
  return (
    <details className="group" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary
        className={
          "flex cursor-pointer items-start gap-x-3 px-4 py-2.5 -outline-offset-2 " +
          "marker:content-none hover:bg-muted [&::-webkit-details-marker]:hidden"
        }
      >
        <ChevronRight
          aria-hidden
          size={15}
          className="mt-0.5 shrink-0 transition-transform group-open:rotate-90"
        />
        <span className="w-16 shrink-0 text-right font-medium tabular-nums">
          {count.toLocaleString("en")} ×
        </span>
        <span className="flex min-w-0 flex-1 flex-wrap items-baseline gap-x-4 gap-y-1">
          <span className="w-28 shrink-0">
            <QuietStatus tone={tone}>{label}</QuietStatus>
          </span>
          <span className="min-w-0 flex-1 basis-72">
            <Difference example={example} other={other} />
          </span>
        </span>
      </summary>
      {isOpen && <Deliveries count={count} other={other} list={list} />}
    </details>
  );
}

const maxValues = 3;

/** The values that differ, with those of the newest delivery, or what else there is to say. */
function Difference({ example, other }: { example: ResultView; other: number | null }): ReactNode {
  const values = listChangedValues(example);
  const [first] = values;
  if (first === undefined) return safeText(describeResult(example, other));
  const more = values.length - maxValues;
  return (
    <span className="grid min-w-0 gap-0.5">
      {values.slice(0, maxValues).map((value) => (
        <ChangedValue key={`${value.step} ${value.path}`} {...value} />
      ))}
      {more > 0 && (
        <span className="text-muted-foreground">
          and {more} more {more === 1 ? "value" : "values"}
        </span>
      )}
    </span>
  );
}

type DeliveriesProps = Pick<GroupProps, "count" | "other" | "list">;

/** The deliveries of a group, read when it is opened, and again while more of them are found. */
function Deliveries({ count, other, list }: DeliveriesProps) {
  const [pages, setPages] = useState<readonly ResultPage[]>([]);
  const [problem, setProblem] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const reading = useRef(list);
  reading.current = list;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the count says that there are others
  useEffect(() => {
    let isOver = false;
    void reading
      .current(undefined)
      .catch(() => serverUnreachable)
      .then((result) => {
        if (isOver) return;
        setProblem(result.ok ? undefined : result.message);
        if (result.ok) setPages([result.value]);
      });
    return () => {
      isOver = true;
    };
  }, [count]);

  async function readMore(cursor: string) {
    setBusy(true);
    const result = await list(cursor).catch(() => serverUnreachable);
    setBusy(false);
    setProblem(result.ok ? undefined : result.message);
    if (result.ok) setPages([...pages, result.value]);
  }

  const last = pages.at(-1);
  const cursor = last?.nextCursor ?? null;
  return (
    <div className="grid gap-3 border-t bg-muted/40 py-3 pr-4 pl-4 sm:pl-10">
      {problem !== undefined && <Notice tone="negative">{problem}</Notice>}
      {last === undefined ? (
        <p role="status" className="text-muted-foreground">
          Loading deliveries…
        </p>
      ) : (
        <BacktestResults
          results={pages.flatMap(({ results }) => results)}
          other={other}
          nowMs={last.nowMs}
        />
      )}
      {cursor !== null && (
        <span>
          <Button look="secondary" isBusy={isBusy} onClick={() => void readMore(cursor)}>
            Show more
          </Button>
        </span>
      )}
    </div>
  );
}
