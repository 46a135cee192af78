"use client";

import { TemplateField } from "#components/template/template-field.tsx";
import { PairFields } from "#components/ui/form/pair-fields.tsx";
import type { Pair } from "#components/ui/form/pairs.ts";
import type { FieldError } from "#lib/schema/field/command-result.ts";

type PairRowsProps = {
  /** Label of one row, as in "Header". */
  readonly what: string;
  /** Where the rows are in the request, for links to one of them. */
  readonly place: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
  /** The errors of the row with that name. */
  readonly errorsOf: (name: string) => readonly FieldError[];
  /** The rendered value of the row. */
  readonly resolvedOf?: (name: string) => string | undefined;
  /** The errors of all rows together. */
  readonly errors: readonly string[];
};

/** Names and values that are templates, one row each. */
export function PairRows({ errorsOf, resolvedOf, ...rows }: PairRowsProps) {
  return (
    <PairFields
      {...rows}
      valueField={({ label, pair: { name, value }, onChange }) => (
        <TemplateField
          label={label}
          isLabelHidden
          value={value}
          onChange={onChange}
          placeholder="value"
          errors={name === "" ? [] : errorsOf(name)}
          resolved={name === "" ? undefined : resolvedOf?.(name)}
        />
      )}
    />
  );
}
