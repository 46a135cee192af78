import type { ReactNode } from "react";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { FilterSelect } from "#components/lists/filter-select.tsx";
import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { TextField } from "#components/ui/form/field.tsx";
import { deliveryStatuses } from "#lib/schema/delivery.ts";
import { EventTypeField } from "./event-type-field.tsx";

export type DeliveryFilterValues = Readonly<
  Record<
    "status" | "hookId" | "eventType" | "eventId" | "isSample" | "q" | "since" | "from" | "to",
    string
  >
>;

type DeliveryFiltersProps = {
  /** The path of the page with the list. */
  readonly path: string;
  readonly values: DeliveryFilterValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  /** The hook of the list; null: all hooks. */
  readonly hookId: string | null;
  /** To choose from; empty if the list belongs to one hook. */
  readonly hooks: readonly { readonly id: string; readonly name: string }[];
  /** Bulk actions for everything that matches the filter. */
  readonly aside?: ReactNode;
};

export function DeliveryFilters({ hookId, hooks, ...form }: DeliveryFiltersProps) {
  const { values, problems } = form;
  return (
    <FilterForm
      {...form}
      label="Deliveries"
      searches="In id, type, path, body"
      timeLabel="Received"
    >
      <FilterSelect
        label="Status"
        name="status"
        form={form}
        options={deliveryStatuses.map((status) => [status, deliveryStatusWords[status].words])}
      />
      {hooks.length > 0 && (
        <FilterSelect
          label="Hook"
          name="hookId"
          form={form}
          options={hooks.map(({ id, name }) => [id, name])}
        />
      )}
      <EventTypeField
        hookId={hookId ?? (values.hookId === "" ? null : values.hookId)}
        value={values.eventType}
        error={problems.eventType}
      />
      <TextField
        label="Event id"
        name="eventId"
        defaultValue={values.eventId}
        error={problems.eventId}
      />
      <FilterSelect
        label="Samples"
        name="isSample"
        form={form}
        any="Show"
        options={[
          ["false", "Hide"],
          ["true", "Only samples"],
        ]}
      />
    </FilterForm>
  );
}
