import type { ReactNode } from "react";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { LiveList } from "#components/lists/live-list.tsx";
import { type Links, PageLinks } from "#components/lists/page-links.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import type { BulkKind } from "#lib/schema/run-states.ts";
import { BulkRuns, type CountBulk, type StartBulk } from "./bulk-runs.tsx";
import { type ActionChoice, RunFilters, type RunFilterValues } from "./run-filters.tsx";
import { isMovingRun, type RunListView, RunTable } from "./run-table.tsx";

type RunListProps = {
  readonly list: {
    readonly nowMs: number;
    readonly values: RunFilterValues;
    readonly problems: Readonly<Record<string, string>>;
    readonly isFiltered: boolean;
    readonly runs: readonly RunListView[];
    readonly links: Links;
    readonly actions: readonly ActionChoice[];
    /** Bulk actions for everything that matches the filter. */
    readonly bulk: BulkKind | null;
  };
  readonly countBulk: CountBulk;
  readonly startBulk: StartBulk;
  /** Shown if nothing has ever run. */
  readonly empty: ReactNode;
};

/** Runs across hooks, newest first, with filters and bulk actions. */
export function RunList({ list, countBulk, startBulk, empty }: RunListProps) {
  const { runs, isFiltered, links, values, nowMs, bulk } = list;
  const isFirstPage = links.newest === null;
  const isEmpty = runs.length === 0 && !isFiltered && isFirstPage && links.older === null;
  const isLive =
    isFirstPage && values.since !== "between" && Object.keys(list.problems).length === 0;
  const table =
    runs.length > 0 ? (
      <RunTable runs={runs} nowMs={nowMs} />
    ) : (
      <EmptyState title="No matching runs">
        <p>
          {links.older === null
            ? "Change the filters above, or clear them."
            : "No matches so far. Search older ones, or change the filters above."}
        </p>
      </EmptyState>
    );
  const actionName = list.actions.find(({ id }) => id === values.actionId)?.name ?? null;
  return (
    <div className="grid grid-cols-1 gap-4">
      <ListKeys />
      {!isEmpty && (
        <RunFilters
          values={values}
          problems={list.problems}
          isFiltered={isFiltered}
          actions={list.actions}
          aside={
            bulk !== null &&
            runs.length > 0 && (
              <BulkRuns
                kind={bulk}
                values={values}
                actionName={actionName}
                count={countBulk}
                start={startBulk}
              />
            )
          }
        />
      )}
      {isLive ? (
        <LiveList
          followed={{ list: "runs", ...values }}
          afterId={runs[0]?.id ?? ""}
          isMoving={runs.some((run) => isMovingRun(run, nowMs))}
        >
          {isEmpty ? empty : table}
        </LiveList>
      ) : (
        table
      )}
      <PageLinks links={links} />
    </div>
  );
}
