"use client";

import { useId, useState } from "react";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { TextField } from "#components/ui/form/field.tsx";

export type EventFilterValues = Readonly<
  Record<"type" | "recipient" | "q" | "since" | "from" | "to", string>
>;

type EventFiltersProps = {
  readonly values: EventFilterValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
};

export function EventFilters(form: EventFiltersProps) {
  const { values, problems } = form;
  const id = useId();
  const [known, setKnown] = useState<readonly string[]>();

  async function load() {
    if (known !== undefined) return;
    const response = await fetch("/api/event-types?of=events").catch(() => null);
    // The field also works without suggestions.
    if (response?.ok !== true) return;
    setKnown(((await response.json()) as { eventTypes: readonly string[] }).eventTypes);
  }

  return (
    <FilterForm
      {...form}
      path="/events"
      label="Events"
      searches="Id, type, or data"
      timeLabel="Published"
    >
      <TextField
        label="Event type"
        name="type"
        list={id}
        autoComplete="off"
        spellCheck={false}
        placeholder="Any"
        defaultValue={values.type}
        onFocus={() => void load()}
        error={problems.type}
      />
      <datalist id={id}>
        {known?.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <TextField
        label="Recipient"
        name="recipient"
        autoComplete="off"
        spellCheck={false}
        placeholder="Any"
        defaultValue={values.recipient}
        error={problems.recipient}
      />
    </FilterForm>
  );
}
