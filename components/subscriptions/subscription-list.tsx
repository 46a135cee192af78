import type { ReactNode } from "react";
import { FilterForm, type Filters } from "#components/lists/filter-form.tsx";
import { FilterSelect } from "#components/lists/filter-select.tsx";
import { FilterText } from "#components/lists/filter-text.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { LiveList } from "#components/lists/live-list.tsx";
import { type Links, PageLinks } from "#components/lists/page-links.tsx";
import { subscriptionStatuses } from "#lib/schema/send/subscription-status.ts";
import { type SubscriptionView, toSubscriptionRow } from "./subscription-row.ts";
import { statusWords } from "./subscription-status.ts";
import { SubscriptionTable } from "./subscription-table.tsx";

type SubscriptionListProps = {
  readonly list: Filters<"status" | "recipient" | "eventType"> & {
    readonly nowMs: number;
    readonly subscriptions: readonly SubscriptionView[];
    readonly links: Links;
  };
  /** Shown if there are no subscriptions at all. */
  readonly empty: ReactNode;
};

/** Subscriptions, newest first, live, with filters and pagination. */
export function SubscriptionList({ list, empty }: SubscriptionListProps) {
  const { subscriptions, values, problems, links, nowMs } = list;
  const { isEmpty, isLive } = readListState(list, subscriptions.length);
  const form = { values, problems };
  const rows = subscriptions.map(toSubscriptionRow);
  const live = {
    followed: { list: "subscriptions", ...values },
    afterId: subscriptions[0]?.id ?? "",
    isMoving: rows.some(({ last }) => last?.status === "running" || last?.status === "queued"),
  };
  if (isEmpty) return <LiveList {...live}>{empty}</LiveList>;
  const table =
    rows.length > 0 ? (
      <SubscriptionTable rows={rows} nowMs={nowMs} />
    ) : (
      <NoMatches what="subscriptions" />
    );
  return (
    <div className="grid grid-cols-1 gap-4">
      <ListKeys />
      <FilterForm
        {...form}
        path="/subscriptions"
        isFiltered={list.isFiltered}
        label="Subscriptions"
        searches="URL or description"
      >
        <FilterSelect
          label="Status"
          name="status"
          form={form}
          options={subscriptionStatuses.map((status) => [status, statusWords[status].words])}
        />
        <FilterText label="Recipient" name="recipient" form={form} />
        <FilterText
          label="Gets event type"
          name="eventType"
          form={form}
          placeholder="Gets event type"
        />
      </FilterForm>
      {isLive ? <LiveList {...live}>{table}</LiveList> : table}
      <PageLinks links={links} />
    </div>
  );
}
