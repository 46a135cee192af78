import type { ComponentProps, ReactNode } from "react";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { LiveList } from "#components/lists/live-list.tsx";
import { type Links, PageLinks } from "#components/lists/page-links.tsx";
import { SelectionScope } from "#components/lists/selection/selection.tsx";
import { ViewMenu } from "#components/lists/views/view-menu.tsx";
import { MaskedSearchNotice } from "#components/payload/masked-notice.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { type JobCommands, JobList, type JobView } from "#components/runs/job-list.tsx";
import { RelativeTime } from "#components/ui/time/relative-time.tsx";
import type { Search } from "#lib/schema/account/search.ts";
import type { JobState } from "#lib/schema/act/bulk-job.ts";
import { AcceptAll, type AcceptAllProps } from "./accept-all.tsx";
import { ColumnPicker } from "./column-picker.tsx";
import { DeliveryActivity, type DeliveryActivityView } from "./delivery-activity.tsx";
import { DeliveryFilters, type DeliveryListFilters } from "./delivery-filters.tsx";
import {
  type Column,
  type DeliveryView,
  isMovingDelivery,
  toColumnParams,
  toDeliveryRow,
} from "./delivery-row.ts";
import { DeliveryTable } from "./delivery-table.tsx";
import { type AcceptCounts, describeAccept, describeAcceptCounts } from "./describe-accept.ts";
import { SearchedDeliveries } from "./searched-deliveries.tsx";
import { type SelectedCommands, SelectedDeliveries } from "./selected-deliveries.tsx";

type DeliveryListProps = {
  readonly path: string;
  readonly list: DeliveryListFilters & {
    readonly nowMs: number;
    /** The name of the hook in the filter. */
    readonly hookName: string | null;
    readonly deliveries: readonly DeliveryView[];
    readonly links: Links;
    readonly search: Search | null;
    readonly jobs: readonly AcceptJobView[];
    readonly isAcceptable: boolean;
    /** Null: not counted. */
    readonly activity: DeliveryActivityView | null;
    readonly columns: readonly Column[];
    /** Newer deliveries are searched one by one. Null: what is searched is indexed, or nothing is. */
    readonly indexedUntil: Date | null;
    /** Payload paths of the deliveries, each with an example. */
    readonly paths: readonly (readonly [path: string, example: string])[];
  };
  readonly accept: Pick<AcceptAllProps, "count" | "start"> & JobCommands;
  readonly selected: SelectedCommands;
  /** The saved views, which open in the list of all deliveries. */
  readonly views: Pick<ComponentProps<typeof ViewMenu>, "views" | "commands">;
  /** The hook whose deliveries are shown. Null: all hooks. */
  readonly hookId: string | null;
  /** True if something else on the page is about to change. */
  readonly isMoving?: boolean;
  /** Shown if nothing has ever arrived. */
  readonly empty: ReactNode;
};

/** Deliveries, newest first, with filters and pagination. */
export function DeliveryList(props: DeliveryListProps) {
  const { path, list, hookId, empty, accept, selected, views, isMoving = false } = props;
  const { deliveries, isFiltered, links, values, nowMs } = list;
  const { isEmpty, isLive } = readListState(list, deliveries.length);
  const isOneHook = hookId !== null;
  const rows = deliveries.map((delivery) => toDeliveryRow(delivery, isOneHook));
  const { columns } = list;
  const kept = toColumnParams(columns);
  const params = { ...values, ...kept };
  const shown = { rows, nowMs, isOneHook, columns, place: { path, params } };
  const ofHook = hookId === null ? {} : { hookId };
  const searched = list.search !== null && (
    <SearchedDeliveries
      key={list.search.page}
      search={list.search}
      older={links.older}
      {...shown}
    />
  );
  const table = rows.length > 0 ? <DeliveryTable {...shown} /> : <NoMatches what="deliveries" />;
  return (
    <SelectionScope>
      <div className="grid grid-cols-1 gap-4">
        <ListKeys />
        <AcceptJobList jobs={list.jobs} nowMs={nowMs} {...accept} />
        {!isEmpty && (
          <DeliveryFilters
            path={path}
            hookId={hookId}
            values={values}
            problems={list.problems}
            isFiltered={isFiltered}
            hookName={list.hookName}
            kept={kept}
            aside={
              <>
                <ViewMenu path="/deliveries" params={{ ...params, ...ofHook }} {...views} />
                <ColumnPicker path={path} params={params} columns={columns} paths={list.paths} />
                {list.isAcceptable && deliveries.length > 0 && (
                  <Allowed to="deliveries:write">
                    <AcceptAll
                      values={{ ...values, ...ofHook }}
                      count={accept.count}
                      start={accept.start}
                    />
                  </Allowed>
                )}
              </>
            }
          />
        )}
        <MaskedSearchNotice q={values.q} />
        {list.indexedUntil !== null && (
          <p className="text-sm text-muted-foreground">
            Fields are indexed until <RelativeTime at={list.indexedUntil} nowMs={nowMs} />. Later
            deliveries are read one by one, which takes longer.
          </p>
        )}
        {!isEmpty && list.activity !== null && (
          <DeliveryActivity activity={list.activity} path={path} params={params} />
        )}
        {isLive ? (
          <LiveList
            followed={{ list: "deliveries", ...values, ...ofHook }}
            afterId={deliveries[0]?.id ?? ""}
            isMoving={isMoving || deliveries.some((delivery) => isMovingDelivery(delivery, nowMs))}
          >
            {isEmpty ? empty : searched || table}
          </LiveList>
        ) : (
          searched || table
        )}
        <PageLinks links={list.search === null ? links : { ...links, older: null }} />
      </div>
      <SelectedDeliveries {...selected} />
    </SelectionScope>
  );
}

type AcceptJobView = JobState & AcceptCounts;

type AcceptJobListProps = JobCommands & {
  readonly jobs: readonly AcceptJobView[];
  readonly nowMs: number;
};

/** Jobs that accept rejected deliveries, with their results and what became of their runs. */
function AcceptJobList({ jobs, nowMs, cancel, pause, resume }: AcceptJobListProps) {
  const commands = { cancel, pause, resume };
  return <JobList jobs={jobs.map(toJobView)} nowMs={nowMs} {...commands} />;
}

function toJobView(job: AcceptJobView): JobView {
  const seen = job.changedCount + job.duplicateCount + job.rejectedCount + job.notStoredCount;
  const title = describeAccept(job.total);
  return { ...job, kind: "accept", title, seen, outcome: describeAcceptCounts(job) };
}
