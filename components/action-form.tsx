"use client";

import { type FocusEvent, type FormEvent, type ReactNode, useId } from "react";
import type { CommandResult } from "#lib/schema/command-result.ts";
import type { ActionDraft } from "./action-draft.ts";
import { type ActionErrors, errorsAt, errorsUnder } from "./action-errors.ts";
import { AuthFields } from "./auth-fields.tsx";
import { BodyFields } from "./body-fields.tsx";
import type { FilterTally, FilterVerdictView } from "./filter-draft.ts";
import { FilterFields } from "./filter-fields.tsx";
import { FormDisclosure, FormSection } from "./form-section.tsx";
import { PairRows } from "./pair-rows.tsx";
import { RetryFields, summariseRetry } from "./retry-fields.tsx";
import { TemplateField } from "./template-field.tsx";
import { CheckField } from "./ui/check-field.tsx";
import { SelectField, TextField } from "./ui/field.tsx";
import { Notice } from "./ui/notice.tsx";
import { useHydrated } from "./ui/use-hydrated.ts";

type ActionFormProps = {
  readonly id: string;
  readonly draft: ActionDraft;
  readonly onChange: (change: Partial<ActionDraft>) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onInput: (event: FormEvent) => void;
  readonly onSubmit: () => void;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
  readonly errors: ActionErrors;
  readonly message: string | undefined;
  readonly verdict: FilterVerdictView | null;
  readonly tally: CommandResult<FilterTally | null> | undefined;
};

/** An action: when it runs, the call that it makes, and what happens when that fails. */
export function ActionForm(props: ActionFormProps) {
  const { draft, onChange, errors, message } = props;
  const isHydrated = useHydrated();
  return (
    <form
      id={props.id}
      method="post"
      noValidate
      onFocus={props.onFocus}
      onInput={props.onInput}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <fieldset disabled={!isHydrated} className="grid min-w-0 grid-cols-1 gap-5">
        {message !== undefined && <Notice tone="negative">{message}</Notice>}
        <div className="grid gap-2">
          <TextField
            label="Name"
            name="name"
            autoComplete="off"
            placeholder="Add the customer to the CRM"
            value={draft.name}
            onChange={(event) => onChange({ name: event.target.value })}
            error={errorsAt(errors, "name")[0]}
          />
          <CheckField
            label="Switched on: runs for each new delivery"
            checked={draft.enabled}
            onChange={(enabled) => onChange({ enabled })}
          />
        </div>
        <CallFields {...props} />
        <FormSection
          title="Run only when"
          hint={
            draft.filter.rows.length === 0 && draft.filter.mode === "rows"
              ? "Without a condition it runs for every delivery."
              : undefined
          }
        >
          <FilterFields
            filter={draft.filter}
            onChange={(filter) => onChange({ filter })}
            errors={errors}
            verdict={props.verdict}
            tally={props.tally}
          />
        </FormSection>
        <FormDisclosure
          title="When it fails"
          summary={summariseRetry(draft.retry)}
          isOpen={errorsUnder(errors, "retry").length > 0}
        >
          <RetryFields retry={draft.retry} onChange={(retry) => onChange({ retry })} errors={errors} />
        </FormDisclosure>
        <Limits {...props} />
      </fieldset>
    </form>
  );
}

const methods = ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD"];

function CallFields({ draft, onChange, errors, storedAuth }: ActionFormProps) {
  const rows = (path: string) => ({
    errors: errorsAt(errors, path),
    errorsOf: (name: string) => errorsAt(errors, `${path}.${name}`),
  });
  return (
    <FormSection title="Call">
      <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-start gap-2">
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
        <TemplateField
          label="URL"
          value={draft.url}
          onChange={(url) => onChange({ url })}
          placeholder="https://api.example.com/…"
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
        stored={storedAuth}
        error={errorsUnder(errors, "request.auth")[0]}
      />
      <BodyFields draft={draft} onChange={onChange} errors={errors} />
    </FormSection>
  );
}

function Limits({ draft, onChange, errors }: ActionFormProps) {
  const { timeoutSeconds, maxConcurrency, position } = draft;
  const atOnce = maxConcurrency === "" ? "as many at once as there are" : `${maxConcurrency} at once`;
  const set = (field: "timeoutSeconds" | "maxConcurrency" | "position", path: string) => ({
    name: field,
    autoComplete: "off",
    value: draft[field],
    onChange: (event: { target: { value: string } }) => onChange({ [field]: event.target.value }),
    error: errorsAt(errors, path)[0],
  });
  const hasErrors = ["timeoutMs", "maxConcurrency", "position"].some(
    (path) => errorsAt(errors, path).length > 0,
  );
  return (
    <FormDisclosure
      title="Limits and order"
      summary={`${timeoutSeconds} s to answer, ${atOnce}.`}
      isOpen={hasErrors}
    >
      <div className="grid gap-4 sm:grid-cols-3">
        <TextField
          label="Time-out in seconds"
          inputMode="decimal"
          hint="Over the whole exchange, 60 at most."
          {...set("timeoutSeconds", "timeoutMs")}
        />
        <TextField
          label="Calls at once"
          inputMode="numeric"
          placeholder="no limit"
          hint="For receivers that take few."
          {...set("maxConcurrency", "maxConcurrency")}
        />
        <TextField
          label="Order"
          inputMode="numeric"
          placeholder="last"
          hint={`Lower numbers are queued first${position === "" ? "; empty: behind the others" : ""}.`}
          {...set("position", "position")}
        />
      </div>
    </FormDisclosure>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: a legend can't be laid out like the labels around it
    <div role="group" aria-labelledby={id} className="grid min-w-0 grid-cols-1 gap-2">
      <span id={id} className="text-sm font-medium">
        {title}
      </span>
      {children}
    </div>
  );
}
