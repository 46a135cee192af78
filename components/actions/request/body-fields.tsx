"use client";

import { useState } from "react";
import { TemplateField } from "#components/template/template-field.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import {
  type ActionErrors,
  errorsAt,
  errorsInJson,
  namedTextsUnder,
  textsAt,
} from "../draft/action-errors.ts";
import type { BodyMode, RequestDraft } from "../draft/request-draft.ts";
import { switchBody } from "../draft/switch-body.ts";
import { ForwardFields } from "./forward-fields.tsx";
import { PairRows } from "./pair-rows.tsx";
import { PartFields } from "./part-fields.tsx";

type BodyFieldsProps = {
  readonly draft: RequestDraft;
  readonly onChange: (change: Partial<RequestDraft>) => void;
  readonly errors: ActionErrors;
  readonly resolved: Readonly<Record<string, string>>;
};

const bodyModes: readonly { readonly mode: BodyMode; readonly words: string }[] = [
  { mode: "none", words: "No body" },
  { mode: "fields", words: "JSON, field by field" },
  { mode: "json", words: "JSON as text" },
  { mode: "text", words: "Text" },
  { mode: "multipart", words: "Multipart, with files" },
  { mode: "forward", words: "Original body" },
];

/** The request body in one of its formats. Switching formats keeps the content. */
export function BodyFields({ draft, onChange, errors, resolved }: BodyFieldsProps) {
  const [rejection, setProblem] = useState<string>();
  const { method, bodyMode } = draft;
  if (bodyMode !== "forward" && (method === "GET" || method === "HEAD"))
    return <p className="text-sm text-muted-foreground">A {method} request has no body.</p>;
  const isJson = bodyMode === "fields" || bodyMode === "json";

  function choose(mode: BodyMode) {
    const switched = switchBody(draft, mode);
    setProblem(switched.ok ? undefined : switched.message);
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
            ? "A value that is a single {{ … }} keeps its type. A number stays a number."
            : undefined
        }
        error={rejection}
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
          place="body"
          pairs={draft.bodyFields}
          onChange={(bodyFields) => onChange({ bodyFields })}
          errors={textsAt(errors, "request.body")}
          errorsOf={(name) => errorsAt(errors, `request.body.${name}`)}
          resolvedOf={(name) => resolved[`request.body.${name}`]}
        />
      )}
      {bodyMode === "json" && (
        <TemplateField
          label="JSON"
          targetName="Body"
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
          targetName="Body"
          rows={10}
          value={draft.bodyText}
          onChange={(bodyText) => onChange({ bodyText })}
          hint="Sent as rendered. The Content-Type header decides how values are encoded."
          errors={errorsAt(errors, "request.bodyText")}
        />
      )}
      {bodyMode === "multipart" && (
        <PartFields
          parts={draft.parts}
          onChange={(parts) => onChange({ parts })}
          errors={errors}
          resolved={resolved}
        />
      )}
      {bodyMode === "forward" && (
        <ForwardFields
          forward={draft.forward}
          onChange={(forward) => onChange({ forward })}
          errors={namedTextsUnder(errors, "request.forward")}
        />
      )}
      {bodyMode === "none" && textsAt(errors, "request.body").length > 0 && (
        <FieldErrors errors={textsAt(errors, "request.body")} />
      )}
    </div>
  );
}
