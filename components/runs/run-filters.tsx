import type { ReactNode } from "react";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { FilterSelect } from "#components/lists/filter-select.tsx";
import { capitalize } from "#components/ui/capitalize.ts";
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
  const hooks = [...new Map(actions.map(({ hookId, hookName }) => [hookId, hookName]))];
  const { hookId: chosen } = form.values;
  const shown = chosen === "" ? actions : actions.filter(({ hookId }) => hookId === chosen);
  return (
    <FilterForm
      {...form}
      path="/runs"
      label="Runs"
      searches="In reason, id, type"
      timeLabel="Created"
    >
      <FilterSelect
        label="Status"
        name="status"
        form={form}
        options={runStatuses.map((status) => [status, capitalize(runStates[status].label)])}
      />
      <FilterSelect label="Hook" name="hookId" form={form} options={hooks} />
      <FilterSelect
        label="Action"
        name="actionId"
        form={form}
        options={shown.map(({ id, name, hookName }) => [
          id,
          chosen === "" ? `${name} (${hookName})` : name,
        ])}
      />
      <FilterSelect label="Reason" name="reason" form={form} options={reasons} />
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
