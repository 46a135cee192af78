"use client";

import { type ActionErrors, errorsUnder } from "./action-errors.ts";
import {
  describeRetry,
  describeWait,
  findPreset,
  listWaits,
  type RetryDraft,
  readRetryDraft,
  retryPresets,
  toRetryDraft,
} from "./retry-draft.ts";
import { CheckField } from "./ui/check-field.tsx";
import { SelectField, TextField } from "./ui/field.tsx";

type RetryFieldsProps = {
  readonly retry: RetryDraft;
  readonly onChange: (retry: RetryDraft) => void;
  readonly errors: ActionErrors;
};

/** When a failed call is tried again, in words that follow what is typed. */
export function RetryFields({ retry, onChange, errors }: RetryFieldsProps) {
  const preset = findPreset(retry);
  const set = (field: "maxAttempts" | "firstWait" | "longestWait" | "statuses", path: string) => ({
    name: field,
    autoComplete: "off",
    value: retry[field],
    onChange: (event: { target: { value: string } }) => onChange({ ...retry, [field]: event.target.value }),
    error: errorsUnder(errors, `retry.${path}`)[0],
  });
  return (
    <>
      <SelectField
        label="Plan"
        name="retryPreset"
        value={preset ?? "custom"}
        onChange={(event) => {
          const chosen = retryPresets.find(({ id }) => id === event.target.value);
          if (chosen !== undefined) onChange(toRetryDraft(chosen.policy));
        }}
      >
        {retryPresets.map(({ id, words }) => (
          <option key={id} value={id}>
            {words}
          </option>
        ))}
        {preset === null && <option value="custom">Your own, as below</option>}
      </SelectField>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label="Tries" inputMode="numeric" {...set("maxAttempts", "maxAttempts")} />
        <TextField label="First wait" {...set("firstWait", "initialDelayMs")} />
        <TextField label="Longest wait" {...set("longestWait", "maxDelayMs")} />
      </div>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">Try again after</legend>
        <CheckField
          label="No connection, or it broke off"
          checked={retry.onConnection}
          onChange={(onConnection) => onChange({ ...retry, onConnection })}
        />
        <CheckField
          label="No answer in time"
          checked={retry.onTimeout}
          onChange={(onTimeout) => onChange({ ...retry, onTimeout })}
        />
        <CheckField
          label="Any status from 500 to 599"
          checked={retry.onServerErrors}
          onChange={(onServerErrors) => onChange({ ...retry, onServerErrors })}
        />
      </fieldset>
      <TextField label="Also after these statuses" placeholder="408, 425, 429" {...set("statuses", "on")} />
      <Schedule retry={retry} />
    </>
  );
}

function Schedule({ retry }: { retry: RetryDraft }) {
  const read = readRetryDraft(retry);
  if (!read.ok) return null;
  const waits = listWaits(read.policy);
  if (waits.length === 0)
    return <p className="text-sm text-muted-foreground">A call that fails has failed.</p>;
  return (
    <p className="text-sm text-muted-foreground">
      Waits of {waits.map(describeWait).join(", ")}, each up to a fifth shorter or longer. A receiver that
      sends Retry-After is waited for at least that long.
    </p>
  );
}

/** For the line that stands there when the part is closed. */
export function summariseRetry(retry: RetryDraft): string {
  const read = readRetryDraft(retry);
  if (!read.ok) return "Something here has to be mended.";
  const words = describeRetry(read.policy);
  return read.policy.maxAttempts > 1 ? `A failed call is tried again: ${words}.` : `${words}.`;
}
