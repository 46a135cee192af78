import type { ReactNode } from "react";
import type { BulkCommands } from "#components/lists/bulk-dialog.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { LiveList } from "#components/lists/live-list.tsx";
import { type Links, PageLinks } from "#components/lists/page-links.tsx";
import { SelectionScope } from "#components/lists/selection/selection.tsx";
import { MaskedSearchNotice } from "#components/payload/masked-notice.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import type { Search } from "#lib/schema/account/search.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import type { BulkKind } from "#lib/schema/act/run-states.ts";
import { BulkRuns } from "./bulk-runs.tsx";
import { type ReasonRow, ReasonTable } from "./reason-table.tsx";
import { RunFilters, type RunListFilters } from "./run-filters.tsx";
import { isMovingRun, receiverOf, toRunRow } from "./run-row.ts";
import { RunTable } from "./run-table.tsx";
import { SearchedRuns } from "./searched-runs.tsx";
import type { SelectedRunCommands } from "./selected-run-buttons.tsx";
import { SelectedRuns } from "./selected-runs.tsx";

type RunListProps = {
  readonly list: RunListFilters & {
    readonly nowMs: number;
    readonly runs: readonly RunListItem[];
    readonly links: Links;
    readonly search: Search | null;
    /** The same runs by reason, which take the place of the list. Null: they aren't asked for. */
    readonly groups: {
      readonly reasons: readonly ReasonRow[];
      /** The number of runs that were looked at. Null: all. */
      readonly scanned: number | null;
    } | null;
    /** The names of the filter's values. */
    readonly hookName: string | null;
    readonly actionName: string | null;
    /** Bulk actions for everything that matches the filter. */
    readonly bulk: BulkKind | null;
  };
  readonly countBulk: BulkCommands["count"];
  readonly startBulk: BulkCommands["start"];
  readonly selected: SelectedRunCommands;
  /** Shown if nothing has ever run. */
  readonly empty: ReactNode;
};

/** Runs across hooks, newest first, with filters and bulk actions. */
export function RunList(props: RunListProps) {
  const { list, countBulk, startBulk, selected, empty } = props;
  const { runs, isFiltered, links, values, nowMs, bulk } = list;
  const { isEmpty, isLive } = readListState(list, runs.length);
  const shown = { rows: runs.map((run) => toRunRow(run, nowMs)), nowMs };
  const searched = list.search !== null && (
    <SearchedRuns key={list.search.page} search={list.search} older={links.older} {...shown} />
  );
  const table = runs.length > 0 ? <RunTable {...shown} /> : <NoMatches what="runs" />;
  return (
    <SelectionScope>
      <div className="grid grid-cols-1 gap-4">
        <ListKeys />
        {!isEmpty && (
          <RunFilters
            values={values}
            problems={list.problems}
            isFiltered={isFiltered}
            hookName={list.hookName}
            actionName={list.actionName}
            receiver={runs[0] === undefined ? null : receiverOf(runs[0])}
            isGrouped={list.groups !== null}
            aside={
              bulk !== null &&
              runs.length > 0 && (
                <Allowed to="deliveries:write">
                  <BulkRuns
                    kind={bulk}
                    values={values}
                    actionName={list.actionName}
                    count={countBulk}
                    start={startBulk}
                  />
                </Allowed>
              )
            }
          />
        )}
        <MaskedSearchNotice q={values.q} />
        {list.groups !== null ? (
          <Groups groups={list.groups} values={values} nowMs={nowMs} empty={isEmpty && empty} />
        ) : isLive ? (
          <LiveList
            followed={{ list: "runs", ...values }}
            afterId={runs[0]?.id ?? ""}
            isMoving={runs.some((run) => isMovingRun(run, nowMs))}
          >
            {isEmpty ? empty : searched || table}
          </LiveList>
        ) : (
          searched || table
        )}
        {list.groups === null && (
          <PageLinks links={list.search === null ? links : { ...links, older: null }} />
        )}
      </div>
      <SelectedRuns {...selected} />
    </SelectionScope>
  );
}

type GroupsProps = {
  readonly groups: NonNullable<RunListProps["list"]["groups"]>;
  readonly values: RunListFilters["values"];
  readonly nowMs: number;
  /** False: there are runs, but none may match. */
  readonly empty: ReactNode;
};

function Groups({ groups: { reasons, scanned }, values, nowMs, empty }: GroupsProps) {
  if (reasons.length === 0) return empty || <NoMatches what="runs" />;
  return (
    <>
      <ReasonTable rows={reasons} values={values} nowMs={nowMs} />
      {scanned !== null && (
        <p className="text-sm text-muted-foreground">
          Among the newest {scanned.toLocaleString("en")} runs.
        </p>
      )}
    </>
  );
}
