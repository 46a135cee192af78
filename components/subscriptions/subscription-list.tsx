import type { ReactNode } from "react";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { FilterSelect } from "#components/lists/filter-select.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { type Links, PageLinks } from "#components/lists/page-links.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { subscriptionStatuses } from "#lib/schema/sender/subscription.ts";
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
  /** Shown if there are none at all. */
  readonly empty: ReactNode;
};

/** Subscriptions, newest first, with filters and pagination. */
export function SubscriptionList({ list, empty }: SubscriptionListProps) {
  const { subscriptions, values, problems, links, nowMs } = list;
  const { isEmpty } = readListState(list, subscriptions.length);
  if (isEmpty) return empty;
  const form = { values, problems };
  return (
    <div className="grid grid-cols-1 gap-4">
      <ListKeys />
      <FilterForm
        {...form}
        path="/subscriptions"
        isFiltered={list.isFiltered}
        label="Subscriptions"
        searches="In URL, description"
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
          placeholder="cust_42"
          defaultValue={values.recipient}
          error={problems.recipient}
        />
        <TextField
          label="Gets event type"
          name="eventType"
          autoComplete="off"
          spellCheck={false}
          placeholder="invoice.paid"
          defaultValue={values.eventType}
          error={problems.eventType}
        />
      </FilterForm>
      {subscriptions.length > 0 ? (
        <SubscriptionTable rows={subscriptions.map(toSubscriptionRow)} nowMs={nowMs} />
      ) : (
        <NoMatches what="subscriptions" />
      )}
      <PageLinks links={links} />
    </div>
  );
}
