import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { type RateDraft, ratePeriods } from "../draft/rate-draft.ts";

type RateFieldsProps = {
  readonly draft: RateDraft;
  readonly onChange: (change: Partial<RateDraft>) => void;
  readonly error: string | undefined;
};

export function RateFields({ draft, onChange, error }: RateFieldsProps) {
  const period = ratePeriods.find(([seconds]) => seconds === draft.rateSeconds);
  return (
    <>
      <TextField
        label="Rate limit"
        name="rateCount"
        inputMode="numeric"
        autoComplete="off"
        placeholder="no limit"
        hint="Requests to the receiver. More wait in the queue."
        value={draft.rateCount}
        onChange={(event) => onChange({ rateCount: event.target.value })}
        error={error}
      />
      <SelectField
        label="Per"
        name="rateSeconds"
        value={draft.rateSeconds}
        onChange={(event) => onChange({ rateSeconds: event.target.value })}
      >
        {period === undefined && (
          <option value={draft.rateSeconds}>{draft.rateSeconds} seconds</option>
        )}
        {ratePeriods.map(([seconds, words]) => (
          <option key={seconds} value={seconds}>
            {words}
          </option>
        ))}
      </SelectField>
    </>
  );
}
