"use client";

import type { ComponentProps } from "react";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { type ActionErrors, namedTextsUnder } from "../draft/action-errors.ts";
import {
  describeRetry,
  describeWait,
  findPreset,
  listWaits,
  type RetryDraft,
  readRetryDraft,
  retryPresets,
  toRetryDraft,
} from "../draft/retry-draft.ts";

type RetryFieldsProps = {
  readonly retry: RetryDraft;
  readonly onChange: (retry: RetryDraft) => void;
  readonly errors: ActionErrors;
  /** Hides the choice of what is retried. */
  readonly isScheduleOnly?: boolean;
};

/** The retry policy of failed calls, summarized as the user types. */
export function RetryFields(props: RetryFieldsProps) {
  const { retry, onChange, errors, isScheduleOnly = false } = props;
  const preset = findPreset(retry);
  const set = (
    field: "maxAttempts" | "firstWait" | "maxWait" | "statuses" | "giveUpAfter",
    path: string,
  ) => ({
    name: field,
    autoComplete: "off",
    value: retry[field],
    onChange: (event: { target: { value: string } }) =>
      onChange({ ...retry, [field]: event.target.value }),
    error: namedTextsUnder(errors, `retry.${path}`)[0],
  });
  return (
    <>
      <SelectField
        label="Retry policy"
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
        {preset === null && <option value="custom">Custom</option>}
      </SelectField>
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField label="Attempts" inputMode="numeric" {...set("maxAttempts", "maxAttempts")} />
        <TextField label="First delay" {...set("firstWait", "initialDelayMs")} />
        <TextField label="Maximum delay" {...set("maxWait", "maxDelayMs")} />
      </div>
      {!isScheduleOnly && (
        <>
          <Conditions retry={retry} onChange={onChange} statuses={set("statuses", "on")} />
          <TextField
            label="Give up after"
            placeholder="never"
            hint="Such as 1 h, since the run was created or last retried by a user."
            {...set("giveUpAfter", "giveUpAfterSeconds")}
          />
        </>
      )}
      <Schedule retry={retry} />
    </>
  );
}

type ConditionsProps = Pick<RetryFieldsProps, "retry" | "onChange"> & {
  readonly statuses: Omit<ComponentProps<typeof TextField>, "label">;
};

function Conditions({ retry, onChange, statuses }: ConditionsProps) {
  return (
    <>
      <fieldset className="grid gap-2">
        <legend className="mb-1.5 text-sm font-medium">Retry on</legend>
        <CheckField
          label="Connection errors"
          checked={retry.onConnection}
          onChange={(onConnection) => onChange({ ...retry, onConnection })}
        />
        <CheckField
          label="Timeouts"
          checked={retry.onTimeout}
          onChange={(onTimeout) => onChange({ ...retry, onTimeout })}
        />
        <CheckField
          label="Any 5xx status"
          checked={retry.onServerErrors}
          onChange={(onServerErrors) => onChange({ ...retry, onServerErrors })}
        />
        <CheckField
          label="Responses that the success rule rejects"
          checked={retry.onUnsuccessful}
          onChange={(onUnsuccessful) => onChange({ ...retry, onUnsuccessful })}
        />
      </fieldset>
      <TextField label="Other statuses" placeholder="408, 425, 429" {...statuses} />
    </>
  );
}

function Schedule({ retry }: { retry: RetryDraft }) {
  const read = readRetryDraft(retry);
  if (!read.ok) return null;
  const waits = listWaits(read.policy);
  if (waits.length === 0)
    return <p className="text-sm text-muted-foreground">Failed requests aren't retried.</p>;
  return (
    <p className="text-sm text-muted-foreground">
      Waits of {waits.map(describeWait).join(", ")}, each up to a fifth shorter or longer. A
      receiver that sends Retry-After is waited for at least that long.
    </p>
  );
}

/** The summary when the section is collapsed. */
export function summarizeRetry(retry: RetryDraft): string {
  const read = readRetryDraft(retry);
  if (!read.ok) return "Fix the errors in this section.";
  const words = describeRetry(read.policy);
  return read.policy.maxAttempts > 1 ? `Failed requests are retried: ${words}.` : `${words}.`;
}
