"use client";

import { FilterForm } from "#components/lists/filter-form.tsx";
import { TextField } from "#components/ui/form/field.tsx";

type AuditFiltersProps = {
  readonly values: Readonly<
    Record<"actor" | "event" | "target" | "q" | "since" | "from" | "to", string>
  >;
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
};

export function AuditFilters(form: AuditFiltersProps) {
  const { values, problems } = form;
  return (
    <FilterForm
      {...form}
      path="/account/audit"
      label="Audit log"
      searches="Target or change"
      timeLabel="Time"
    >
      <TextField
        label="Who"
        name="actor"
        autoComplete="off"
        spellCheck={false}
        placeholder="Name or id"
        defaultValue={values.actor}
        error={problems.actor}
      />
      <TextField
        label="Event"
        name="event"
        autoComplete="off"
        spellCheck={false}
        placeholder="hook.updated"
        defaultValue={values.event}
        error={problems.event}
      />
      <TextField
        label="Target"
        name="target"
        autoComplete="off"
        spellCheck={false}
        placeholder="Id"
        defaultValue={values.target}
        error={problems.target}
      />
    </FilterForm>
  );
}
