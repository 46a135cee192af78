"use client";

import type { ComponentProps } from "react";
import { CheckField } from "./check-field.tsx";
import { SelectField, TextField } from "./field.tsx";
import type { FieldOf } from "./field-of.ts";

type Of<Typed, Props, Given extends string> = Omit<Props, Given> & { readonly of: FieldOf<Typed> };

/** A text field of a form. */
export function Field({
  of: { onChange, inputMode, ...field },
  ...rest
}: Of<string, ComponentProps<typeof TextField>, keyof FieldOf<string>> & {
  readonly inputMode?: ComponentProps<typeof TextField>["inputMode"];
}) {
  return (
    <TextField
      autoComplete="off"
      inputMode={inputMode}
      {...field}
      {...rest}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** A choice of a form. Its options are its children. */
export function FieldSelect<Choice extends string>({
  of: { onChange, inputMode: _inputMode, ...field },
  ...rest
}: Of<Choice, ComponentProps<typeof SelectField>, keyof FieldOf<string>>) {
  return (
    <SelectField
      {...field}
      {...rest}
      onChange={(event) => onChange(event.target.value as Choice)}
    />
  );
}

/** A checkbox of a form. */
export function FieldCheck({
  of: { value, onChange },
  ...rest
}: Of<boolean, ComponentProps<typeof CheckField>, "checked" | "onChange">) {
  return <CheckField {...rest} checked={value} onChange={onChange} />;
}
