"use client";

import { FilterForm, type Filters } from "#components/lists/filter-form.tsx";
import { FilterText } from "#components/lists/filter-text.tsx";

export function AuditFilters(form: Filters<"actor" | "event" | "target">) {
  return (
    <FilterForm
      {...form}
      path="/account/audit"
      label="Audit log"
      searches="Target or change"
      timeLabel="Time"
    >
      <FilterText label="Who" name="actor" form={form} placeholder="Any name or id" />
      <FilterText label="Event" name="event" form={form} />
      <FilterText label="Target" name="target" form={form} placeholder="Any target id" />
    </FilterForm>
  );
}
