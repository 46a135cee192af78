"use client";

import type { FocusEvent, ReactNode } from "react";
import type { ActionDraft, BodyMode } from "./action-draft.ts";
import { type ActionErrors, errorsAt, errorsUnder } from "./action-errors.ts";
import { AuthFields } from "./auth-fields.tsx";
import { PairRows } from "./pair-rows.tsx";
import { FieldErrors, TemplateField } from "./template-field.tsx";
import { Button } from "./ui/button.tsx";
import { SelectField, TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";
import { useHydrated } from "./ui/use-hydrated.ts";

type ActionFormProps = {
  readonly draft: ActionDraft;
  readonly onChange: (change: Partial<ActionDraft>) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onSubmit: () => void;
  readonly isPending: boolean;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
  readonly errors: ActionErrors;
  readonly message: string | undefined;
};

const methods = ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD"];

/** The call that an action makes: every field but the name, the method and the credentials takes templates. */
export function ActionForm(props: ActionFormProps) {
  const { draft, onChange, errors, message } = props;
  const isHydrated = useHydrated();
  const rows = (path: string) => ({
    errors: errorsAt(errors, path),
    errorsOf: (name: string) => errorsAt(errors, `${path}.${name}`),
  });
  return (
    <form
      method="post"
      noValidate
      onFocus={props.onFocus}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
      className="grid grid-cols-1 gap-5"
    >
      <fieldset disabled={!isHydrated} className="contents">
        {message !== undefined && <Notice tone="negative">{message}</Notice>}
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          placeholder="Add the customer to the CRM"
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
          error={errorsAt(errors, "name")[0]}
        />
        <div className="flex items-start gap-2">
          <div className="w-28 shrink-0">
            <SelectField
              label="Method"
              name="method"
              value={draft.method}
              onChange={(event) => onChange({ method: event.target.value })}
            >
              {methods.map((method) => (
                <option key={method}>{method}</option>
              ))}
            </SelectField>
          </div>
          <TemplateField
            label="URL"
            value={draft.url}
            onChange={(url) => onChange({ url })}
            placeholder="https://api.example.com/people/{{ data.id }}"
            errors={errorsAt(errors, "request.url")}
          />
        </div>
        <Group title="Query">
          <PairRows
            what="Parameter"
            pairs={draft.query}
            onChange={(query) => onChange({ query })}
            {...rows("request.query")}
          />
        </Group>
        <Group title="Headers">
          <PairRows
            what="Header"
            pairs={draft.headers}
            onChange={(headers) => onChange({ headers })}
            {...rows("request.headers")}
          />
        </Group>
        <AuthFields
          auth={draft.auth}
          onChange={(auth) => onChange({ auth })}
          stored={props.storedAuth}
          error={errorsUnder(errors, "request.auth")[0]}
        />
        <Body {...props} />
        <div className="w-40">
          <TextField
            label="Time-out in seconds"
            name="timeoutSeconds"
            inputMode="decimal"
            autoComplete="off"
            value={draft.timeoutSeconds}
            onChange={(event) => onChange({ timeoutSeconds: event.target.value })}
            error={errorsAt(errors, "timeoutMs")[0]}
          />
        </div>
        <div>
          <Button type="submit" isBusy={props.isPending}>
            Save action
          </Button>
        </div>
      </fieldset>
    </form>
  );
}

const bodyModes: readonly { readonly mode: BodyMode; readonly words: string }[] = [
  { mode: "none", words: "No body" },
  { mode: "fields", words: "JSON, field by field" },
  { mode: "json", words: "JSON as text" },
  { mode: "text", words: "Text of any kind" },
];

function Body({ draft, onChange, errors }: ActionFormProps) {
  if (draft.method === "GET" || draft.method === "HEAD")
    return <p className="text-sm text-muted-foreground">A {draft.method} request has no body.</p>;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <SelectField
        label="Body"
        name="bodyMode"
        value={draft.bodyMode}
        onChange={(event) => onChange({ bodyMode: event.target.value as BodyMode })}
        hint={
          draft.bodyMode === "fields" || draft.bodyMode === "json"
            ? "A value that is one {{ … }} and nothing else keeps its type: a number stays a number."
            : undefined
        }
      >
        {bodyModes.map(({ mode, words }) => (
          <option key={mode} value={mode}>
            {words}
          </option>
        ))}
      </SelectField>
      {draft.bodyMode === "fields" && (
        <PairRows
          what="Field"
          pairs={draft.bodyFields}
          onChange={(bodyFields) => onChange({ bodyFields })}
          errors={errorsAt(errors, "request.body")}
          errorsOf={(name) => errorsAt(errors, `request.body.${name}`)}
        />
      )}
      {draft.bodyMode === "json" && (
        <TemplateField
          label="JSON"
          rows={10}
          place="json"
          value={draft.bodyJson}
          onChange={(bodyJson) => onChange({ bodyJson })}
          placeholder={'{ "email": "{{ data.object.email }}" }'}
          errors={errorsUnder(errors, "request.body")}
        />
      )}
      {draft.bodyMode === "text" && (
        <TemplateField
          label="Text"
          rows={10}
          value={draft.bodyText}
          onChange={(bodyText) => onChange({ bodyText })}
          hint="Sent as it is rendered. Set its Content-Type among the headers."
          errors={errorsAt(errors, "request.bodyText")}
        />
      )}
      {draft.bodyMode === "none" && errorsAt(errors, "request.body").length > 0 && (
        <FieldErrors errors={errorsAt(errors, "request.body")} />
      )}
    </div>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="grid min-w-0 grid-cols-1 gap-2">
      <legend className="mb-1.5 text-sm font-medium">{title}</legend>
      {children}
    </fieldset>
  );
}
