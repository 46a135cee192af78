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
/** Null: the source has no name. */
const labels = {
  body: "Path",
  header: "Header",
  query: "Parameter",
  path: "Segment after the catch URL",
  event: null,
  all: "Paths, separated by commas",
  content: "Without these fields (optional)",
  request: null,
} as const;
const examples = {
  body: "data.object.id",
  header: "x-event-id",
  query: "event_id",
  path: "1",
  event: "",
  all: "message.id, header:x-topic, query:event, path:1",
  content: "attempt, retries",
  request: "",
} as const;
const texts: Partial<Record<SourceRow["from"], string>> = {
  event: "The body's id, if the body has a text id, a text type, and an object in data.",
  request: "Body, path, query, method, and the headers that name the event's type.",
};
const named = ["body", "header", "query"];

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
                const isKept = named.includes(from) && named.includes(row.from);
                change(at, { from, name: isKept ? row.name : "" });
              }}
            >
              <option value="body">Body field</option>
              <option value="header">Header</option>
              <option value="query">Query parameter</option>
              <option value="path">Path segment</option>
              {canHash && <option value="event">Event id</option>}
              {canHash && <option value="all">Several fields</option>}
              {canHash && <option value="content">Entire body</option>}
              {canHash && <option value="request">Entire request</option>}
            </SelectField>
          </div>
          <div className="min-w-0 flex-1 basis-40">
            <SourceName
              row={row}
              at={at}
              onChange={(name) => change(at, { name })}
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

type SourceNameProps = {
  readonly row: SourceRow;
  readonly at: number;
  readonly onChange: (name: string) => void;
  readonly error: string | undefined;
};

function SourceName({ row, at, onChange, error }: SourceNameProps) {
  const label = labels[row.from];
  if (label === null)
    return <p className="py-2 text-sm text-muted-foreground">{texts[row.from]}</p>;
  return (
    <TextField
      label={label}
      name={`name-${at}`}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      inputMode={row.from === "path" ? "numeric" : "text"}
      className="font-mono text-xs"
      placeholder={examples[row.from]}
      value={row.name}
      onChange={(event) => onChange(event.target.value)}
      error={error}
    />
  );
}
