"use client";

import { useState } from "react";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { EventTypeChips } from "./event-type-chips.tsx";

type EventTypeChoiceProps = {
  /** Empty: nothing is chosen yet. `["*"]`: all events. */
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  /** Event types of the catalog, and published ones. */
  readonly known: readonly string[];
  readonly error: string | undefined;
};

/** The event types of a subscription. All events are a choice too, never the default. */
export function EventTypeChoice({ value, onChange, known, error }: EventTypeChoiceProps) {
  const isAll = value.includes("*");
  const [some, setSome] = useState<readonly string[]>(isAll ? [] : value);
  return (
    <div className="grid gap-3">
      {!isAll && (
        <EventTypeChips
          value={value}
          onChange={(next) => {
            if (!next.includes("*")) setSome(next);
            onChange(next.includes("*") ? ["*"] : next);
          }}
          known={known}
          error={describeChoiceError(value, error)}
        />
      )}
      <CheckField
        label="All events"
        text="Also types that are added later."
        checked={isAll}
        onChange={(isOn) => onChange(isOn ? ["*"] : some)}
      />
    </div>
  );
}

/** Says what to choose if nothing is. */
export function describeChoiceError(
  value: readonly string[],
  error: string | undefined,
): string | undefined {
  return error !== undefined && value.length === 0 ? "Choose event types, or all events." : error;
}

/** The error of the list as a whole, or of one of its types. */
export function findTypeError(fields: Readonly<Record<string, string>>): string | undefined {
  return Object.entries(fields).find(([path]) => /^eventTypes(?:\.|$)/.test(path))?.[1];
}
