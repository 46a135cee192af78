import type { ReactNode } from "react";
import { ChoiceField } from "#components/lists/choice-field.tsx";
import { FilterForm, type Filters } from "#components/lists/filter-form.tsx";
import { FilterSelect } from "#components/lists/filter-select.tsx";
import { FilterText } from "#components/lists/filter-text.tsx";
import { deliveryStatusWords } from "#components/status/describe-delivery.ts";
import { deliveryStatuses } from "#lib/schema/receive/delivery-status.ts";
import { EventTypeField } from "./event-type-field.tsx";

export type DeliveryListFilters = Filters<
  "status" | "hookId" | "eventType" | "eventId" | "runs" | "isSample"
>;

type DeliveryFiltersProps = DeliveryListFilters & {
  /** The path of the page with the list. */
  readonly path: string;
  /** The hook of the list; null: all hooks. */
  readonly hookId: string | null;
  /** The name of the hook in the filter. */
  readonly hookName: string | null;
  /** The payload paths shown as columns, and their widths, as in the URL. */
  readonly kept: { readonly columns: string; readonly widths: string };
  /** Bulk actions for everything that matches the filter. */
  readonly aside?: ReactNode;
};

export function DeliveryFilters({ hookId, hookName, ...form }: DeliveryFiltersProps) {
  const { values, problems } = form;
  const eventType = (
    <EventTypeField
      hookId={hookId ?? (values.hookId === "" ? null : values.hookId)}
      value={values.eventType}
      error={problems.eventType}
    />
  );
  const isOneHook = hookId !== null;
  return (
    <FilterForm
      {...form}
      label="Deliveries"
      searches="Text, or path = value"
      timeLabel="Received"
      more={{
        names: [...(isOneHook ? [] : ["eventType"]), "eventId", "runs", "isSample"],
        fields: (
          <>
            {!isOneHook && eventType}
            <FilterText label="Event id" name="eventId" form={form} />
            <FilterSelect label="Runs" name="runs" form={form} options={[["failed", "Failed"]]} />
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
          </>
        ),
      }}
    >
      <FilterSelect
        label="Status"
        name="status"
        form={form}
        options={deliveryStatuses.map((status) => [status, deliveryStatusWords[status].words])}
      />
      {isOneHook ? (
        eventType
      ) : (
        <ChoiceField
          label="Hook"
          name="hookId"
          of="hooks"
          value={values.hookId}
          chosen={hookName}
          error={problems.hookId}
        />
      )}
    </FilterForm>
  );
}
