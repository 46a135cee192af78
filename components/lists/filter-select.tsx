"use client";

import { SelectField } from "#components/ui/form/field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type FilterSelectProps<Name extends string> = {
  readonly label: string;
  readonly name: Name;
  readonly form: {
    readonly values: Readonly<Record<Name, string>>;
    readonly problems: Readonly<Record<string, string>>;
  };
  readonly options: readonly (readonly [value: string, words: string])[];
  /** The words for no filter. Default: "Any status". */
  readonly any?: string;
};

/** A filter with a few values to choose from. */
export function FilterSelect<Name extends string>(props: FilterSelectProps<Name>) {
  const { label, name, form, options, any = `Any ${label.toLowerCase()}` } = props;
  return (
    <SelectField
      label={label}
      name={name}
      defaultValue={form.values[name]}
      error={form.problems[name]}
    >
      <option value="">{any}</option>
      {options.map(([value, words]) => (
        <option key={value} value={value}>
          {safeText(words)}
        </option>
      ))}
    </SelectField>
  );
}
