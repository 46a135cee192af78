import type { ReactNode } from "react";
import { ChoiceField } from "#components/lists/choice-field.tsx";
import { FilterForm, type Filters } from "#components/lists/filter-form.tsx";
import { FilterSelect } from "#components/lists/filter-select.tsx";
import { toPhrase } from "#components/status/summarize-reason.ts";
import { capitalize } from "#lib/base/capitalize.ts";
import { runStates, runStatuses } from "#lib/schema/act/run-states.ts";

export type RunListFilters = Filters<
  "status" | "hookId" | "actionId" | "subscriptionId" | "jobId" | "reason"
>;

type RunFiltersProps = RunListFilters & {
  /** The names of the filter's values. */
  readonly hookName: string | null;
  readonly actionName: string | null;
  /** The receiver of the chosen subscription. */
  readonly receiver: string | null;
  /** Another filter keeps the runs grouped by reason. */
  readonly isGrouped: boolean;
  readonly aside: ReactNode;
};

export function RunFilters(props: RunFiltersProps) {
  const { hookName, actionName, receiver, isGrouped, ...form } = props;
  const { values, problems } = form;
  return (
    <FilterForm
      {...form}
      path="/runs"
      label="Runs"
      searches="Reason, id, or type"
      timeLabel="Created"
      more={{
        names: ["actionId", "reason"],
        fields: (
          <>
            <ChoiceField
              label="Action"
              name="actionId"
              of="actions"
              hookId={values.hookId}
              value={values.actionId}
              chosen={actionName}
              error={problems.actionId}
            />
            <FilterSelect
              label="Reason"
              name="reason"
              form={form}
              options={listReasons(values.reason)}
            />
          </>
        ),
      }}
    >
      <FilterSelect
        label="Status"
        name="status"
        form={form}
        options={runStatuses.map((status) => [status, capitalize(runStates[status].label)])}
      />
      <ChoiceField
        label="Hook"
        name="hookId"
        of="hooks"
        value={values.hookId}
        chosen={hookName}
        error={problems.hookId}
      />
      {isGrouped && <input type="hidden" name="group" value="reason" />}
      {values.subscriptionId !== "" && (
        <FilterSelect
          label="Subscription"
          name="subscriptionId"
          form={form}
          options={[[values.subscriptionId, receiver ?? values.subscriptionId]]}
        />
      )}
      {values.jobId !== "" && (
        <p className="self-end py-1.5 text-sm text-muted-foreground">
          <input key={values.jobId} type="hidden" name="jobId" defaultValue={values.jobId} />
          Only runs of one job
        </p>
      )}
    </FilterForm>
  );
}

/** The usual reasons, and the chosen one. */
function listReasons(chosen: string): readonly (readonly [string, string])[] {
  const isUsual = chosen === "" || reasons.some(([code]) => code === chosen);
  return isUsual ? reasons : [...reasons, [chosen, toPhrase(chosen)]];
}

/** The worker's reason codes, in words. */
const reasons: readonly (readonly [string, string])[] = [
  ["attempts_exhausted", "No attempts left"],
  ["gave_up", "Gave up"],
  ["not_retried", "Response not retried"],
  ["retry", "Retrying"],
  ["mapping_failed", "Missing field"],
  ["mapping_too_slow", "Mapping timed out"],
  ["template_invalid", "Invalid template"],
  ["filter_not_matched", "Filter didn't match"],
  ["skipped_by_transform", "Skipped by its transform"],
  ["loop", "Calls this server"],
  ["worker_died", "Worker stopped"],
  ["delivery_gone", "Delivery deleted"],
  ["internal", "Internal error"],
];
