import type { ReactNode } from "react";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { capitalize } from "#components/ui/capitalize.ts";
import { SelectField } from "#components/ui/form/field.tsx";
import { safeText } from "#components/ui/safe-text.ts";
import { runStates, runStatuses } from "#lib/schema/run-states.ts";

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
  const shown =
    values.hookId === "" ? actions : actions.filter(({ hookId }) => hookId === values.hookId);
  return (
    <FilterForm
      {...form}
      path="/runs"
      label="Runs"
      searches="In reason, id, type"
      timeLabel="Created"
    >
      <SelectField
        label="Status"
        name="status"
        defaultValue={values.status}
        error={problems.status}
      >
        <option value="">Any</option>
        {runStatuses.map((status) => (
          <option key={status} value={status}>
            {capitalize(runStates[status].label)}
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
      <SelectField
        label="Action"
        name="actionId"
        defaultValue={values.actionId}
        error={problems.actionId}
      >
        <option value="">Any</option>
        {shown.map(({ id, name, hookName }) => (
          <option key={id} value={id}>
            {safeText(values.hookId === "" ? `${name} (${hookName})` : name)}
          </option>
        ))}
      </SelectField>
      <SelectField
        label="Reason"
        name="reason"
        defaultValue={values.reason}
        error={problems.reason}
      >
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

/** The worker's reason codes, in words. */
const reasons: readonly (readonly [string, string])[] = [
  ["attempts_exhausted", "No attempts left"],
  ["not_retried", "Response not retried"],
  ["retry", "Will retry"],
  ["mapping_failed", "Missing field"],
  ["mapping_too_slow", "Mapping timed out"],
  ["template_invalid", "Invalid template"],
  ["filter_not_matched", "Filter didn't match"],
  ["loop", "Calls this server"],
  ["worker_died", "Worker stopped"],
  ["delivery_gone", "Delivery deleted"],
  ["internal", "Internal error"],
];
