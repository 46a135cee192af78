"use client";

import { FileButton } from "#components/ui/form/file-button.tsx";
import { JsonField } from "./json-field.tsx";

type DocumentFieldProps = {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Accepted files, as in `<input accept>`. */
  readonly accept: string;
  readonly placeholder: string;
  readonly hint: string;
  readonly error?: string | undefined;
};

/** A document that is pasted, or read from a file. */
export function DocumentField({ accept, error, ...field }: DocumentFieldProps) {
  return (
    <>
      <div>
        <FileButton accept={accept} onFile={(file) => void file.text().then(field.onChange)} />
      </div>
      <JsonField label="Document" {...field} error={error} />
    </>
  );
}
