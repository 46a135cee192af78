"use client";

import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { trialSize } from "#lib/schema/act/run-limits.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { LimitInput } from "./limit-input.ts";

type LimitFieldsProps = {
  readonly value: LimitInput;
  readonly onChange: (value: LimitInput) => void;
  readonly errors?: readonly FieldError[];
};

/** The trial, the pace, and the stop of a job that queues runs. */
export function LimitFields({ value, onChange, errors = [] }: LimitFieldsProps) {
  const errorOf = (name: keyof LimitInput) =>
    errors.find(({ path }) => path.endsWith(name))?.message;
  return (
    <div className="grid gap-3">
      <CheckField
        label={`Try ${trialSize} first`}
        text="The others follow if none of them fails. Otherwise, the job pauses."
        checked={value.trial}
        onChange={(trial) => onChange({ ...value, trial })}
      />
      <div className="grid gap-3 sm:grid-cols-[2fr_3fr]">
        <TextField
          label="Runs per minute"
          name="ratePerMinute"
          inputMode="numeric"
          placeholder="no limit"
          value={value.ratePerMinute}
          onChange={(event) => onChange({ ...value, ratePerMinute: event.target.value })}
          error={errorOf("ratePerMinute")}
        />
        <TextField
          label="Pause after this many failures"
          name="stopAfterFailures"
          inputMode="numeric"
          placeholder="never"
          value={value.stopAfterFailures}
          onChange={(event) => onChange({ ...value, stopAfterFailures: event.target.value })}
          error={errorOf("stopAfterFailures")}
        />
      </div>
    </div>
  );
}
