"use client";

import { useId } from "react";
import { describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import { CodeEditor } from "./code-editor.tsx";
import type { Mark } from "./suggestion.ts";

type JsonFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: string;
  readonly placeholder: string;
  readonly error: string | undefined;
  readonly language?: "json" | "javascript";
  /** Memoized: a new function redraws the marks. */
  readonly marks?: (text: string) => readonly Mark[];
};

/** A field for a JSON document, or for code. */
export function JsonField(props: JsonFieldProps) {
  const { label, value, onChange, hint, placeholder, error, language = "json", marks } = props;
  const id = useId();
  return (
    <FieldFrame id={id} label={label} hint={hint} error={error}>
      <CodeEditor
        id={id}
        language={language}
        rows={8}
        value={value}
        onChange={onChange}
        placeholder={placeholder}
        {...(marks && { marks })}
        isInvalid={error !== undefined}
        describedBy={describedBy(id, hint, error)}
      />
    </FieldFrame>
  );
}
