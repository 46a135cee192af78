"use client";

import { useId, useState } from "react";
import { TextField } from "#components/ui/form/field.tsx";

type EventTypeFieldProps = {
  /** The hook whose types are suggested; null: all hooks. */
  readonly hookId: string | null;
  readonly value: string;
  readonly error: string | undefined;
};

/** Suggests event types that have arrived. They are fetched when the field gets the focus. */
export function EventTypeField({ hookId, value, error }: EventTypeFieldProps) {
  const id = useId();
  const [known, setKnown] = useState<{
    readonly of: string | null;
    readonly types: readonly string[];
  }>();

  async function load() {
    if (known?.of === hookId) return;
    const response = await fetch(`/api/event-types?hookId=${hookId ?? ""}`).catch(() => null);
    // The field also works without suggestions.
    if (response?.ok !== true) return;
    const { eventTypes } = (await response.json()) as { eventTypes: readonly string[] };
    setKnown({ of: hookId, types: eventTypes });
  }

  return (
    <>
      <TextField
        label="Event type"
        name="eventType"
        placeholder="Any event type"
        list={id}
        autoComplete="off"
        spellCheck={false}
        defaultValue={value}
        onFocus={() => void load()}
        error={error}
      />
      <datalist id={id}>
        {known?.types.map((type) => (
          <option key={type} value={type} />
        ))}
      </datalist>
    </>
  );
}
