"use client";

import { useState } from "react";
import type { ActionDraft, BodyMode } from "./action-draft.ts";
import { type ActionErrors, errorsAt, errorsInJson } from "./action-errors.ts";
import { FieldErrors } from "./field-errors.tsx";
import { PairRows } from "./pair-rows.tsx";
import { switchBody } from "./switch-body.ts";
import { TemplateField } from "./template-field.tsx";
import { SelectField } from "./ui/field.tsx";

type BodyFieldsProps = {
  readonly draft: ActionDraft;
  readonly onChange: (change: Partial<ActionDraft>) => void;
  readonly errors: ActionErrors;
};

const bodyModes: readonly { readonly mode: BodyMode; readonly words: string }[] = [
  { mode: "none", words: "No body" },
  { mode: "fields", words: "JSON, field by field" },
  { mode: "json", words: "JSON as text" },
  { mode: "text", words: "Text of any kind" },
];

/** The body of the call, in one of its forms; what stands in one goes along into the next. */
export function BodyFields({ draft, onChange, errors }: BodyFieldsProps) {
  const [refusal, setRefusal] = useState<string>();
  const { method, bodyMode } = draft;
  if (method === "GET" || method === "HEAD")
    return <p className="text-sm text-muted-foreground">A {method} request has no body.</p>;
  const isJson = bodyMode === "fields" || bodyMode === "json";

  function choose(mode: BodyMode) {
    const switched = switchBody(draft, mode);
    setRefusal(switched.ok ? undefined : switched.message);
    if (switched.ok) onChange(switched.change);
  }

  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <SelectField
        label="Body"
        name="bodyMode"
        value={bodyMode}
        onChange={(event) => choose(event.target.value as BodyMode)}
        hint={
          isJson
            ? "A value that is one {{ … }} and nothing else keeps its type: a number stays a number."
            : undefined
        }
        error={refusal}
      >
        {bodyModes.map(({ mode, words }) => (
          <option key={mode} value={mode}>
            {words}
          </option>
        ))}
      </SelectField>
      {bodyMode === "fields" && (
        <PairRows
          what="Field"
          pairs={draft.bodyFields}
          onChange={(bodyFields) => onChange({ bodyFields })}
          errors={errorsAt(errors, "request.body")}
          errorsOf={(name) => errorsAt(errors, `request.body.${name}`)}
        />
      )}
      {bodyMode === "json" && (
        <TemplateField
          label="JSON"
          rows={10}
          place="json"
          value={draft.bodyJson}
          onChange={(bodyJson) => onChange({ bodyJson })}
          placeholder={'{ "email": "{{ data.object.email }}" }'}
          errors={errorsInJson(errors, "request.body", draft.bodyJson)}
        />
      )}
      {bodyMode === "text" && (
        <TemplateField
          label="Text"
          rows={10}
          value={draft.bodyText}
          onChange={(bodyText) => onChange({ bodyText })}
          hint="Sent as it is rendered. Its Content-Type, among the headers, decides how values are written into it."
          errors={errorsAt(errors, "request.bodyText")}
        />
      )}
      {bodyMode === "none" && errorsAt(errors, "request.body").length > 0 && (
        <FieldErrors errors={errorsAt(errors, "request.body")} />
      )}
    </div>
  );
}
