"use client";

import { useId, useState } from "react";
import { FilterForm, type Filters } from "#components/lists/filter-form.tsx";
import { FilterText } from "#components/lists/filter-text.tsx";
import { TextField } from "#components/ui/form/field.tsx";

export type EventListFilters = Filters<"type" | "recipient">;

export function EventFilters(form: EventListFilters) {
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
        placeholder="Any event type"
        defaultValue={values.type}
        onFocus={() => void load()}
        error={problems.type}
      />
      <datalist id={id}>
        {known?.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
      <FilterText label="Recipient" name="recipient" form={form} />
    </FilterForm>
  );
}
