import type { ReactNode } from "react";
import { runStatuses } from "#lib/schema/run.ts";
import { runStatusWords } from "./describe-delivery.ts";
import { FilterForm } from "./filter-form.tsx";
import { SelectField } from "./ui/field.tsx";
import { safeText } from "./ui/safe-text.ts";

export type RunFilterValues = Readonly<
  Record<"status" | "hookId" | "actionId" | "reason" | "q" | "since" | "from" | "to", string>
>;

export type ActionChoice = {
  readonly id: string;
  readonly name: string;
  readonly hookId: string;
  readonly hookName: string;
};

type RunFiltersProps = {
  readonly values: RunFilterValues;
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  readonly actions: readonly ActionChoice[];
  readonly aside: ReactNode;
};

export function RunFilters({ actions, ...form }: RunFiltersProps) {
  const { values, problems } = form;
  const hooks = [...new Map(actions.map(({ hookId, hookName }) => [hookId, hookName]))];
  const shown = values.hookId === "" ? actions : actions.filter(({ hookId }) => hookId === values.hookId);
  return (
    <FilterForm {...form} path="/runs" label="Runs" searches="In reason, id, type" timeLabel="Made">
      <SelectField label="Status" name="status" defaultValue={values.status} error={problems.status}>
        <option value="">Any</option>
        {runStatuses.map((status) => (
          <option key={status} value={status}>
            {capitalise(runStatusWords[status].words)}
          </option>
        ))}
      </SelectField>
      <SelectField label="Hook" name="hookId" defaultValue={values.hookId} error={problems.hookId}>
        <option value="">Any</option>
        {hooks.map(([id, name]) => (
          <option key={id} value={id}>
            {safeText(name)}
          </option>
        ))}
      </SelectField>
      <SelectField label="Action" name="actionId" defaultValue={values.actionId} error={problems.actionId}>
        <option value="">Any</option>
        {shown.map(({ id, name, hookName }) => (
          <option key={id} value={id}>
            {safeText(values.hookId === "" ? `${name} (${hookName})` : name)}
          </option>
        ))}
      </SelectField>
      <SelectField label="Reason" name="reason" defaultValue={values.reason} error={problems.reason}>
        <option value="">Any</option>
        {reasons.map(([code, words]) => (
          <option key={code} value={code}>
            {words}
          </option>
        ))}
      </SelectField>
    </FilterForm>
  );
}

/** The codes that the worker writes, in words. */
const reasons: readonly (readonly [string, string])[] = [
  ["attempts_exhausted", "All attempts failed"],
  ["not_retried", "An answer that is not retried"],
  ["retry", "Failed, will be tried again"],
  ["mapping_failed", "A field is missing"],
  ["template_invalid", "A template is broken"],
  ["filter_not_matched", "The filter does not match"],
  ["loop", "Leads back to this server"],
  ["worker_died", "The worker stopped in the middle"],
  ["delivery_gone", "The delivery is gone"],
  ["internal", "A fault on our side"],
];

function capitalise(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
