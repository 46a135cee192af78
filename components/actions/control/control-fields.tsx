"use client";

import { TemplateField } from "#components/template/template-field.tsx";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { TextField } from "#components/ui/form/field.tsx";
import { type ActionErrors, errorsAt, namedTextsUnder, textsAt } from "../draft/action-errors.ts";
import type { BreakerDraft, ControlDraft } from "../draft/control-draft.ts";
import { FilterFields } from "../filter/filter-fields.tsx";

type ControlFieldsProps = {
  readonly value: ControlDraft;
  readonly onChange: (change: Partial<ControlDraft>) => void;
  readonly errors: ActionErrors;
};

/** The fields for success, order, and the circuit breaker. */
export function ControlFields(props: ControlFieldsProps) {
  return (
    <>
      <SuccessFields {...props} />
      <OrderFields {...props} />
      <BreakerFields {...props} />
    </>
  );
}

function SuccessFields({ value, onChange, errors }: ControlFieldsProps) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3">
      <legend className="mb-1.5 text-sm font-medium">Success</legend>
      <TextField
        label="Statuses"
        name="successStatuses"
        autoComplete="off"
        placeholder="2xx"
        hint="For example, 2xx or 409. Any other response counts as a failure."
        value={value.successStatuses}
        onChange={(event) => onChange({ successStatuses: event.target.value })}
        error={namedTextsUnder(errors, "success.statuses")[0] ?? textsAt(errors, "success")[0]}
      />
      <p className="text-sm text-muted-foreground">
        And only if the response matches, such as <code>body.ok</code> equals <code>true</code>:
      </p>
      <FilterFields
        filter={value.successWhen}
        onChange={(successWhen) => onChange({ successWhen })}
        errors={errors}
        path="success.when"
        verdict={null}
        tally={undefined}
      />
    </fieldset>
  );
}

function OrderFields({ value, onChange, errors }: ControlFieldsProps) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3 border-t pt-4">
      <legend className="sr-only">Order</legend>
      <TemplateField
        label="Run in order by"
        placeholder="{{ data.customer.id }}"
        hint={
          "Runs with the same value wait for each other, in the order of their deliveries. " +
          "Leave it empty to run side by side."
        }
        value={value.orderBy}
        onChange={(orderBy) => onChange({ orderBy })}
        errors={errorsAt(errors, "order.by")}
      />
      {value.orderBy.trim() !== "" && (
        <TextField
          label="Skip a failing run after (seconds)"
          name="orderSkip"
          inputMode="numeric"
          autoComplete="off"
          placeholder="never"
          hint="Until then, the next runs with its value wait for it."
          value={value.orderSkip}
          onChange={(event) => onChange({ orderSkip: event.target.value })}
          error={textsAt(errors, "order.skipAfterSeconds")[0]}
        />
      )}
    </fieldset>
  );
}

const breakerFields: readonly (readonly [keyof BreakerDraft, string])[] = [
  ["failures", "Pause after this many failures"],
  ["windowSeconds", "Counted over (seconds)"],
  ["openSeconds", "Try again after (seconds)"],
];

function BreakerFields({ value, onChange, errors }: ControlFieldsProps) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-3 border-t pt-4">
      <legend className="sr-only">Circuit breaker</legend>
      <CheckField
        label="Circuit breaker: stop calls while the receiver is down"
        checked={value.hasBreaker}
        onChange={(hasBreaker) => onChange({ hasBreaker })}
      />
      {value.hasBreaker && (
        <div className="grid gap-4 sm:grid-cols-3">
          {breakerFields.map(([name, label]) => (
            <TextField
              key={name}
              label={label}
              name={name}
              inputMode="numeric"
              autoComplete="off"
              value={value.breaker[name]}
              onChange={(event) =>
                onChange({ breaker: { ...value.breaker, [name]: event.target.value } })
              }
              error={textsAt(errors, `breaker.${name}`)[0]}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
