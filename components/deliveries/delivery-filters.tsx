import type { ReactNode } from "react";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { safeText } from "#components/ui/safe-text.ts";
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
      <SelectField
        label="Status"
        name="status"
        defaultValue={values.status}
        error={problems.status}
      >
        <option value="">Any</option>
        {deliveryStatuses.map((status) => (
          <option key={status} value={status}>
            {deliveryStatusWords[status].words}
          </option>
        ))}
      </SelectField>
      {hooks.length > 0 && (
        <SelectField
          label="Hook"
          name="hookId"
          defaultValue={values.hookId}
          error={problems.hookId}
        >
          <option value="">Any</option>
          {hooks.map(({ id, name }) => (
            <option key={id} value={id}>
              {safeText(name)}
            </option>
          ))}
        </SelectField>
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
      <SelectField
        label="Samples"
        name="isSample"
        defaultValue={values.isSample}
        error={problems.isSample}
      >
        <option value="">Show</option>
        <option value="false">Hide</option>
        <option value="true">Only samples</option>
      </SelectField>
    </FilterForm>
  );
}
