"use client";

import { type FocusEvent, type ReactNode, useId } from "react";
import { TemplateField } from "#components/template/template-field.tsx";
import { CheckField } from "#components/ui/form/check-field.tsx";
import { SelectField, TextField } from "#components/ui/form/field.tsx";
import { Form, type Rejection } from "#components/ui/form/form.tsx";
import { FormDisclosure, FormSection } from "#components/ui/form/form-section.tsx";
import { listedOptions } from "#lib/schema/action/action-options.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ActionErrors, errorsAt, namedTextsUnder, textsAt } from "./action-errors.ts";
import { AuthFields } from "./auth-fields.tsx";
import { BodyFields } from "./body-fields.tsx";
import type { ActionDraft } from "./draft/action-draft.ts";
import type { FilterTally, FilterVerdictView } from "./draft/filter-draft.ts";
import { describeRate } from "./draft/rate-draft.ts";
import { FilterFields } from "./filter-fields.tsx";
import { PairRows } from "./pair-rows.tsx";
import { RateFields } from "./rate-fields.tsx";
import { RetryFields, summariseRetry } from "./retry-fields.tsx";

type ActionFormProps = {
  readonly id: string;
  readonly draft: ActionDraft;
  readonly onChange: (change: Partial<ActionDraft>) => void;
  readonly onFocus: (event: FocusEvent) => void;
  readonly onSubmit: () => void;
  readonly storedAuth: { readonly type: string; readonly hint: string | null } | null;
  readonly errors: ActionErrors;
  /** What each template field renders to, by path. */
  readonly resolved: Readonly<Record<string, string>>;
  readonly rejection: Rejection | undefined;
  readonly verdict: FilterVerdictView | null;
  readonly tally: CommandResult<FilterTally | null> | undefined;
};

/** The form of an action: when it runs, the call it makes, and what happens on failure. */
export function ActionForm(props: ActionFormProps) {
  const { draft, onChange, errors } = props;
  return (
    <Form
      id={props.id}
      rejection={props.rejection}
      className="gap-5"
      onFocus={props.onFocus}
      onSubmit={(event) => {
        event.preventDefault();
        props.onSubmit();
      }}
    >
      <div className="grid gap-2">
        <TextField
          label="Name"
          name="name"
          autoComplete="off"
          placeholder="Add the customer to the CRM"
          value={draft.name}
          onChange={(event) => onChange({ name: event.target.value })}
          error={textsAt(errors, "name")[0]}
        />
        <CheckField
          label="Enabled: runs for each new delivery"
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
        isOpen={namedTextsUnder(errors, "retry").length > 0}
      >
        <RetryFields
          retry={draft.retry}
          onChange={(retry) => onChange({ retry })}
          errors={errors}
        />
      </FormDisclosure>
      <Limits {...props} />
    </Form>
  );
}

const methods = ["POST", "PUT", "PATCH", "DELETE", "GET", "HEAD"];

function CallFields({ draft, onChange, errors, resolved, storedAuth }: ActionFormProps) {
  const rows = (path: string) => ({
    errors: textsAt(errors, path),
    errorsOf: (name: string) => errorsAt(errors, `${path}.${name}`),
    resolvedOf: (name: string) => resolved[`${path}.${name}`],
  });
  const isForwarded = draft.bodyMode === "forward";
  return (
    <FormSection title="Call">
      <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] items-start gap-2">
        <SelectField
          label="Method"
          name="method"
          value={isForwarded && draft.forward.method ? asDelivered : draft.method}
          onChange={({ target: { value } }) => onChange(chooseMethod(draft, value))}
        >
          {isForwarded && <option value={asDelivered}>As sent</option>}
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
          resolved={resolved["request.url"]}
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
        error={namedTextsUnder(errors, "request.auth")[0]}
      />
      <BodyFields draft={draft} onChange={onChange} errors={errors} resolved={resolved} />
    </FormSection>
  );
}

const asDelivered = "as-delivered";

function chooseMethod({ method, forward }: ActionDraft, value: string): Partial<ActionDraft> {
  const isAsDelivered = value === asDelivered;
  return { method: isAsDelivered ? method : value, forward: { ...forward, method: isAsDelivered } };
}

function Limits({ draft, onChange, errors }: ActionFormProps) {
  const { options, position } = draft;
  const { rateCount, rateSeconds } = draft;
  const rate =
    rateCount.trim() === "" ? [] : [describeRate({ count: rateCount, perSeconds: rateSeconds })];
  const limits = listedOptions.map(([name, option]) => option.summarize(options[name]));
  const summary = [...limits, ...rate].join(", ");
  const rateError = namedTextsUnder(errors, "rateLimit")[0];
  const hasErrors =
    rateError !== undefined ||
    [...Object.keys(options), "position"].some((path) => errorsAt(errors, path).length > 0);
  return (
    <FormDisclosure title="Limits and order" summary={`${summary}.`} isOpen={hasErrors}>
      <div className="grid gap-4 sm:grid-cols-3">
        {listedOptions.map(([name, { label, hint, placeholder, scale }]) => (
          <TextField
            key={name}
            label={label}
            hint={hint}
            name={name}
            autoComplete="off"
            inputMode={scale === 1 ? "numeric" : "decimal"}
            {...(placeholder === undefined ? {} : { placeholder })}
            value={options[name]}
            onChange={(event) => onChange({ options: { ...options, [name]: event.target.value } })}
            error={textsAt(errors, name)[0]}
          />
        ))}
        <TextField
          label="Order"
          inputMode="numeric"
          placeholder="last"
          hint={`Lower numbers are queued first.${position === "" ? " Leave it empty to run last." : ""}`}
          name="position"
          autoComplete="off"
          value={position}
          onChange={(event) => onChange({ position: event.target.value })}
          error={textsAt(errors, "position")[0]}
        />
        <RateFields draft={draft} onChange={onChange} error={rateError} />
      </div>
    </FormDisclosure>
  );
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
