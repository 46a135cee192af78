import { FilterForm, type Filters } from "#components/lists/filter-form.tsx";
import { FilterSelect } from "#components/lists/filter-select.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { LiveList } from "#components/lists/live-list.tsx";
import { type Links, PageLinks } from "#components/lists/page-links.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { capitalize } from "#lib/base/capitalize.ts";
import type { RunListItem } from "#lib/schema/act/run.ts";
import { runStates, runStatuses } from "#lib/schema/act/run-states.ts";
import { toSendRow } from "./send-row.ts";
import { SendTable } from "./send-table.tsx";

type SendListProps = {
  readonly subscriptionId: string;
  readonly list: Filters<"status"> & {
    readonly nowMs: number;
    readonly sends: readonly RunListItem[];
    readonly links: Links;
  };
};

/** The sends of a subscription, newest first, live. */
export function SendList({ subscriptionId, list }: SendListProps) {
  const { sends, values, problems, nowMs, links } = list;
  const { status, q, since, from, to } = values;
  const { isEmpty, isLive } = readListState(list, sends.length);
  const form = { values: { status, q, since, from, to }, problems };
  const rows = sends.map((send) => toSendRow(send, nowMs));
  const table =
    rows.length > 0 ? <SendTable rows={rows} nowMs={nowMs} /> : <NoMatches what="sends" />;
  const empty = (
    <EmptyState title="Nothing sent yet">
      <p>The first matching event shows up here automatically.</p>
    </EmptyState>
  );
  return (
    <section className="grid grid-cols-1 gap-4" aria-labelledby="sends">
      <h2 id="sends" className="text-lg font-semibold tracking-tight">
        Sends
      </h2>
      <ListKeys />
      {!isEmpty && (
        <FilterForm
          {...form}
          path={`/subscriptions/${subscriptionId}`}
          isFiltered={list.isFiltered}
          label="Sends"
          searches="Reason, id, or type"
          timeLabel="Created"
        >
          <FilterSelect
            label="Status"
            name="status"
            form={form}
            options={runStatuses.map((one) => [one, capitalize(runStates[one].label)])}
          />
        </FilterForm>
      )}
      {isLive ? (
        <LiveList
          followed={{ list: "runs", subscriptionId, ...form.values }}
          afterId={sends[0]?.id ?? ""}
          isMoving={rows.some((row) => row.status === "running" || row.status === "queued")}
        >
          {isEmpty ? empty : table}
        </LiveList>
      ) : (
        table
      )}
      <PageLinks links={links} />
    </section>
  );
}
