import { deliveryStatuses } from "#lib/schema/delivery.ts";
import { deliveryStatusWords } from "./describe-delivery.ts";
import { FilterForm } from "./filter-form.tsx";
import { SelectField, TextField } from "./ui/field.tsx";
import { safeText } from "./ui/safe-text.ts";

export type DeliveryFilterValues = Readonly<
  Record<"status" | "hookId" | "eventType" | "eventId" | "q" | "since" | "from" | "to", string>
>;

type DeliveryFiltersProps = {
  /** Of the page that the list stands on. */
  readonly path: string;
  readonly values: DeliveryFilterValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  /** To choose from; none where the list is of one. */
  readonly hooks: readonly { readonly id: string; readonly name: string }[];
};

export function DeliveryFilters({ hooks, ...form }: DeliveryFiltersProps) {
  const { values, problems } = form;
  return (
    <FilterForm {...form} label="Deliveries" searches="In id, type, path, body" timeLabel="Received">
      <SelectField label="Status" name="status" defaultValue={values.status} error={problems.status}>
        <option value="">Any</option>
        {deliveryStatuses.map((status) => (
          <option key={status} value={status}>
            {deliveryStatusWords[status].words}
          </option>
        ))}
      </SelectField>
      {hooks.length > 0 && (
        <SelectField label="Hook" name="hookId" defaultValue={values.hookId} error={problems.hookId}>
          <option value="">Any</option>
          {hooks.map(({ id, name }) => (
            <option key={id} value={id}>
              {safeText(name)}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        label="Event type"
        name="eventType"
        defaultValue={values.eventType}
        error={problems.eventType}
      />
      <TextField label="Event id" name="eventId" defaultValue={values.eventId} error={problems.eventId} />
    </FilterForm>
  );
}
