"use client";

import { useId, useState } from "react";
import { TextField } from "#components/ui/form/field.tsx";

type EventTypeFieldProps = {
  /** Whose types are suggested; null: those of all hooks. */
  readonly hookId: string | null;
  readonly value: string;
  readonly error: string | undefined;
};

/** Suggests the event types that have arrived; they are asked for when the field is entered. */
export function EventTypeField({ hookId, value, error }: EventTypeFieldProps) {
  const id = useId();
  const [known, setKnown] = useState<{
    readonly of: string | null;
    readonly types: readonly string[];
  }>();

  async function load() {
    if (known?.of === hookId) return;
    const response = await fetch(`/api/event-types?hookId=${hookId ?? ""}`).catch(() => null);
    // Suggestions are a help: without them the field works as well.
    if (response?.ok !== true) return;
    const { eventTypes } = (await response.json()) as { eventTypes: readonly string[] };
    setKnown({ of: hookId, types: eventTypes });
  }

  return (
    <>
      <TextField
        label="Event type"
        name="eventType"
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
