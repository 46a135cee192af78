"use client";

import type { ChangeEvent } from "react";
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
  async function read(event: ChangeEvent<HTMLInputElement>) {
    const [file] = event.target.files ?? [];
    if (file !== undefined) field.onChange(await file.text());
  }

  return (
    <>
      <label className="grid justify-items-start gap-1.5 text-sm font-medium">
        File
        <input
          type="file"
          accept={accept}
          onChange={(event) => void read(event)}
          className={
            "text-sm font-normal text-muted-foreground file:mr-3 file:h-9 " +
            "file:rounded-md file:border file:border-border file:bg-card " +
            "file:px-3.5 file:text-sm file:font-medium file:text-foreground"
          }
        />
      </label>
      <JsonField label="Document" {...field} error={error} />
    </>
  );
}
