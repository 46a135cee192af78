import type { ReactNode } from "react";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { FilterSelect } from "#components/lists/filter-select.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { LiveList } from "#components/lists/live-list.tsx";
import { type Links, PageLinks } from "#components/lists/page-links.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { subscriptionStatuses } from "#lib/schema/send/subscription.ts";
import { type SubscriptionView, toSubscriptionRow } from "./subscription-row.ts";
import { statusWords } from "./subscription-status.ts";
import { SubscriptionTable } from "./subscription-table.tsx";

type FilterValues = Readonly<
  Record<"status" | "recipient" | "eventType" | "q" | "since" | "from" | "to", string>
>;

type SubscriptionListProps = {
  readonly list: {
    readonly nowMs: number;
    readonly values: FilterValues;
    readonly problems: Readonly<Record<string, string>>;
    readonly isFiltered: boolean;
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
        <TextField
          label="Recipient"
          name="recipient"
          autoComplete="off"
          spellCheck={false}
          placeholder="Any"
          defaultValue={values.recipient}
          error={problems.recipient}
        />
        <TextField
          label="Gets event type"
          name="eventType"
          autoComplete="off"
          spellCheck={false}
          placeholder="Any"
          defaultValue={values.eventType}
          error={problems.eventType}
        />
      </FilterForm>
      {isLive ? <LiveList {...live}>{table}</LiveList> : table}
      <PageLinks links={links} />
    </div>
  );
}
