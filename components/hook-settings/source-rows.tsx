"use client";

import { Plus, X } from "lucide-react";
import { Button } from "#components/ui/button/button.tsx";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import type { SourceRow } from "./source-rule.ts";

type SourceRowsProps = {
  readonly rows: readonly SourceRow[];
  readonly onChange: (rows: readonly SourceRow[]) => void;
  readonly canHash: boolean;
  /** The error of the row at that index. */
  readonly errorAt: (at: number) => string | undefined;
};

const maxRows = 5;
const labels = {
  body: "Path",
  header: "Header",
  all: "Paths, separated by commas",
  content: "Without these fields (optional)",
} as const;
const examples = {
  body: "data.object.id",
  header: "x-event-id",
  all: "message.id, message.status",
  content: "attempt, retries",
} as const;

/** Sources in order: the first one that has a value counts. */
export function SourceRows({ rows, onChange, canHash, errorAt }: SourceRowsProps) {
  const change = (at: number, next: Partial<SourceRow>) =>
    onChange(rows.map((row, index) => (index === at ? { ...row, ...next } : row)));
  return (
    <div className="grid grid-cols-1 gap-3">
      {rows.map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its index
        <div key={at} className="flex flex-wrap items-end gap-2">
          <div className="basis-40">
            <SelectField
              label={at === 0 ? "Source" : "Fallback"}
              name={`from-${at}`}
              value={row.from}
              onChange={(event) => {
                const from = event.target.value as SourceRow["from"];
                // A name that identifies the event must not become a field that doesn't count.
                const isOther = from === "content" || row.from === "content";
                change(at, { from, name: isOther ? "" : row.name });
              }}
            >
              <option value="body">Body field</option>
              <option value="header">A header</option>
              {canHash && <option value="all">Several fields</option>}
              {canHash && <option value="content">Entire body</option>}
            </SelectField>
          </div>
          <div className="min-w-0 flex-1 basis-40">
            <TextField
              label={labels[row.from]}
              name={`name-${at}`}
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              className="font-mono text-xs"
              placeholder={examples[row.from]}
              value={row.name}
              onChange={(event) => change(at, { name: event.target.value })}
              error={errorAt(at)}
            />
          </div>
          {rows.length > 1 && (
            <IconButton
              label="Remove source"
              onClick={() => onChange(rows.filter((_, index) => index !== at))}
            >
              <X aria-hidden size={16} />
            </IconButton>
          )}
        </div>
      ))}
      {rows.length < maxRows && (
        <div>
          <Button look="quiet" onClick={() => onChange([...rows, { from: "body", name: "" }])}>
            <Plus aria-hidden size={15} />
            Add fallback
          </Button>
        </div>
      )}
    </div>
  );
}
