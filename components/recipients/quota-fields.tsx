import { CheckField } from "#components/ui/form/check-field.tsx";
import { asIs, type Draft, optionalNumber, switched } from "#components/ui/form/codec.ts";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import type { Quota } from "#lib/schema/send/recipient.ts";

const parts = {
  limit: optionalNumber,
  per: asIs<Quota["per"]>(),
  whenUsedUp: asIs<Quota["whenUsedUp"]>(),
};

/** A quota in a form, or none while it is off. */
export const quotaCodec = switched(parts, { limit: null, per: "month", whenUsedUp: "delay" });

type QuotaDraft = { readonly isOn: boolean } & Draft<typeof parts>;

type QuotaFieldsProps = {
  readonly draft: QuotaDraft;
  readonly onChange: (draft: QuotaDraft) => void;
  readonly error: string | undefined;
};

export function QuotaFields({ draft, onChange, error }: QuotaFieldsProps) {
  const change = (part: Partial<QuotaDraft>) => onChange({ ...draft, ...part });
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="mb-1.5 text-sm font-medium">Quota</legend>
      <CheckField
        label="Limit its sends"
        checked={draft.isOn}
        onChange={(isOn) => change({ isOn })}
      />
      {draft.isOn && (
        <div className="grid gap-3 sm:grid-cols-3">
          <TextField
            label="Sends"
            name="quotaLimit"
            inputMode="numeric"
            autoComplete="off"
            placeholder="10000"
            value={draft.limit}
            onChange={(event) => change({ limit: event.target.value })}
            error={error}
          />
          <SelectField
            label="Per"
            name="quotaPer"
            value={draft.per}
            onChange={(event) => change({ per: event.target.value as Quota["per"] })}
          >
            <option value="day">day (UTC)</option>
            <option value="month">month (UTC)</option>
          </SelectField>
          <SelectField
            label="When it is used up"
            name="quotaWhenUsedUp"
            value={draft.whenUsedUp}
            onChange={(event) => change({ whenUsedUp: event.target.value as Quota["whenUsedUp"] })}
          >
            <option value="delay">sends wait</option>
            <option value="refuse">sends are canceled</option>
          </SelectField>
        </div>
      )}
    </fieldset>
  );
}
