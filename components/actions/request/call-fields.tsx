"use client";

import { type ReactNode, useId } from "react";
import { DestinationChoice } from "#components/credentials/receiver-choice.tsx";
import { TemplateField } from "#components/template/template-field.tsx";
import { TemplatesHelp } from "#components/template/templates-help.tsx";
import { SelectField } from "#components/ui/form/field.tsx";
import { type ActionErrors, errorsAt, namedTextsUnder, textsAt } from "../draft/action-errors.ts";
import type { RequestDraft } from "../draft/request-draft.ts";
import { AuthFields } from "./auth-fields.tsx";
import { BodyFields } from "./body-fields.tsx";
import { PairRows } from "./pair-rows.tsx";

type CallFieldsProps = {
  readonly request: RequestDraft;
  readonly onChange: (change: Partial<RequestDraft>) => void;
  /** Errors with paths that start with `request`. */
  readonly errors: ActionErrors;
  /** The rendered value of each template field, by path. */
  readonly resolved: Readonly<Record<string, string>>;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
};

const methods = ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD"];

/** The request of a call: its target and content. */
export function CallFields({ request, onChange, errors, resolved, storedAuth }: CallFieldsProps) {
  const rows = (path: string) => ({
    errors: textsAt(errors, path),
    errorsOf: (name: string) => errorsAt(errors, `${path}.${name}`),
    resolvedOf: (name: string) => resolved[`${path}.${name}`],
  });
  const isForwarded = request.bodyMode === "forward";
  return (
    <>
      <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-start gap-2">
        <SelectField
          label="Method"
          name="method"
          value={isForwarded && request.forward.method ? asDelivered : request.method}
          onChange={({ target: { value } }) => onChange(chooseMethod(request, value))}
        >
          {isForwarded && <option value={asDelivered}>As sent</option>}
          {methods.map((method) => (
            <option key={method}>{method}</option>
          ))}
        </SelectField>
        <TemplateField
          label="URL"
          takesNamesOnly
          value={request.url}
          onChange={(url) => onChange({ url })}
          placeholder="https://api.example.com/…"
          errors={errorsAt(errors, "request.url")}
          resolved={resolved["request.url"]}
        />
      </div>
      <TemplatesHelp />
      <Group title="Query">
        <PairRows
          what="Parameter"
          place="query"
          pairs={request.query}
          onChange={(query) => onChange({ query })}
          {...rows("request.query")}
        />
      </Group>
      <Group title="Headers">
        <PairRows
          what="Header"
          place="headers"
          pairs={request.headers}
          onChange={(headers) => onChange({ headers })}
          {...rows("request.headers")}
        />
      </Group>
      <AuthFields
        auth={request.auth}
        onChange={(auth) => onChange({ auth })}
        stored={storedAuth}
        error={namedTextsUnder(errors, "request.auth")[0]}
        url={request.url}
      />
      <DestinationChoice
        value={request.destinationId}
        onChange={(destinationId) => onChange({ destinationId })}
        url={request.url}
        error={namedTextsUnder(errors, "request.destinationId")[0]}
      />
      <BodyFields draft={request} onChange={onChange} errors={errors} resolved={resolved} />
    </>
  );
}

const asDelivered = "as-delivered";

function chooseMethod({ method, forward }: RequestDraft, value: string): Partial<RequestDraft> {
  const isAsDelivered = value === asDelivered;
  return { method: isAsDelivered ? method : value, forward: { ...forward, method: isAsDelivered } };
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend can't be laid out like labels
    <div role="group" aria-labelledby={id} className="grid min-w-0 grid-cols-1 gap-2">
      <span id={id} className="text-sm font-medium">
        {title}
      </span>
      {children}
    </div>
  );
}
