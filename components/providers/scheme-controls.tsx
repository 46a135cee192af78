"use client";

import { SelectField, TextField } from "#components/ui/form/field.tsx";
import type { SchemeDraft } from "./scheme-draft.ts";

export type SchemeFieldsProps = {
  readonly draft: SchemeDraft;
  readonly onChange: (change: Partial<SchemeDraft>) => void;
  /** Errors by path inside the verification. */
  readonly errors: Readonly<Record<string, string>>;
};

type Fields<Draft> = {
  readonly draft: Draft;
  readonly onChange: (change: Partial<Draft>) => void;
  readonly errors: Readonly<Record<string, string>>;
};

/** Finds a field of a draft, with the first error at its paths, or else at its name. */
export function fieldsOf<Draft>({ draft, onChange, errors }: Fields<Draft>) {
  return <Name extends keyof Draft & string>(name: Name, ...paths: readonly string[]) => {
    const path = (paths.length === 0 ? [name] : paths).find((one) => errors[one] !== undefined);
    return {
      value: draft[name],
      onChange: (value: Draft[Name]) => onChange({ [name]: value } as unknown as Partial<Draft>),
      error: path === undefined ? undefined : errors[path],
    };
  };
}

type TextProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly placeholder?: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
};

export function Text({ onChange, ...field }: TextProps) {
  return (
    <TextField
      {...field}
      name={`scheme-${field.label}`}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      className="font-mono text-xs"
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

type ChooseProps<Value extends string> = {
  readonly label: string;
  readonly value: Value;
  readonly choices: readonly (readonly [Value, string])[];
  readonly onChange: (value: Value) => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
};

export function Choose<Value extends string>({ choices, onChange, ...field }: ChooseProps<Value>) {
  return (
    <SelectField
      {...field}
      name={`scheme-${field.label}`}
      onChange={(event) => {
        const chosen = choices.find(([value]) => value === event.target.value);
        if (chosen !== undefined) onChange(chosen[0]);
      }}
    >
      {choices.map(([value, words]) => (
        <option key={value} value={value}>
          {words}
        </option>
      ))}
    </SelectField>
  );
}
