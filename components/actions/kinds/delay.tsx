import { TemplateField } from "#components/template/template-field.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { describeSpan } from "#lib/schema/field/describe-span.ts";
import { errorsAt, textsAt } from "../draft/action-errors.ts";
import type { DelayWork } from "../draft/step-draft.ts";
import type { KindFieldsProps, KindView } from "./kind-view.ts";

/** A wait before the next step. */
export const delayView: KindView<"delay"> = {
  label: "Delay",
  shortLabel: "Delay",
  hasItems: true,
  summarize: (work) => (work.mode === "for" ? `Waits ${work.for}` : `Waits until ${work.until}`),
  Fields: DelayFields,
  Preview: ({ value }) => (
    <p className="text-sm">Waits {describeSpan(Number(value) / 1_000)} from when it begins.</p>
  ),
};

function DelayFields({ work, onChange, errors }: KindFieldsProps<"delay">) {
  return (
    <div className="grid items-start gap-3 sm:grid-cols-[12rem_minmax(0,1fr)]">
      <SelectField
        label="Wait"
        name="delayMode"
        value={work.mode}
        onChange={(event) => onChange({ ...work, mode: event.target.value as DelayWork["mode"] })}
      >
        <option value="for">for a while</option>
        <option value="until">until a time</option>
      </SelectField>
      {work.mode === "for" ? (
        <TextField
          label="Duration"
          name="delayFor"
          autoComplete="off"
          placeholder="5 min"
          hint='From 1 second to 30 days, such as "30 s", "5 min", "2 h", or "3 d".'
          value={work.for}
          onChange={(event) => onChange({ ...work, for: event.target.value })}
          error={textsAt(errors, "ms")[0]}
        />
      ) : (
        <TemplateField
          label="Time"
          value={work.until}
          onChange={(until) => onChange({ ...work, until })}
          placeholder="{{ data.object.trial_end }}"
          hint="Such as 2026-12-01T09:00:00Z, or Unix seconds. At most 30 days from now."
          errors={errorsAt(errors, "until")}
        />
      )}
    </div>
  );
}
