"use client";

import { useId, useState } from "react";
import { useTemplateContext } from "#components/template/template-context.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { CodeEditor } from "#components/ui/code/code-editor.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ActionErrors, namedTextsUnder, textsAt } from "../draft/action-errors.ts";
import {
  type FilterDraft,
  type FilterTally,
  type FilterVerdictView,
  filledRows,
  switchFilterMode,
} from "../draft/filter-draft.ts";
import { ConditionRows } from "./condition-rows.tsx";

type FilterFieldsProps = {
  readonly filter: FilterDraft;
  readonly onChange: (filter: FilterDraft) => void;
  readonly errors: ActionErrors;
  /** The path of the filter in `errors`. Default: `filter`. */
  readonly path?: string;
  /** The result for the chosen delivery. Null: unknown. */
  readonly verdict: FilterVerdictView | null;
  /** The result for the latest deliveries. Undefined: unknown. Null: no filter. */
  readonly tally: CommandResult<FilterTally | null> | undefined;
  /** Default: "Would run for 3 of the last 20." */
  readonly describeTally?: (tally: FilterTally) => string;
};

/** The "Run only when …" conditions, and their result for past deliveries. */
export function FilterFields(props: FilterFieldsProps) {
  const { filter, onChange, errors, path = "filter", verdict } = props;
  const { tally, describeTally = describeRuns } = props;
  const id = useId();
  const { names, onCursor } = useTemplateContext();
  const [rejection, setProblem] = useState<string>();
  const { mode } = filter;
  const filled = filledRows(filter);

  function switchMode() {
    const switched = switchFilterMode(filter);
    setProblem(switched.ok ? undefined : switched.message);
    if (switched.ok) onChange(switched.draft);
  }

  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      {mode === "json" && (
        <CodeEditor
          id={`${id}-json`}
          label="Filter as JSON"
          language="json"
          rows={8}
          value={filter.json}
          onChange={(json) => onChange({ ...filter, json })}
          placeholder={'{ "all": [{ "path": "type", "op": "equals", "value": "order.paid" }] }'}
          onCursor={() => onCursor(null)}
        />
      )}
      {mode === "json" && namedTextsUnder(errors, path).length > 0 && (
        <FieldErrors errors={namedTextsUnder(errors, path)} />
      )}
      {mode === "rows" && textsAt(errors, path).length > 0 && (
        <FieldErrors errors={textsAt(errors, path)} />
      )}
      {mode === "rows" ? (
        <ConditionRows
          group={filter}
          onChange={(group) => onChange({ ...filter, ...group })}
          errors={errors}
          path={path}
          names={names}
        >
          <Button look="quiet" onClick={switchMode}>
            Edit as JSON
          </Button>
        </ConditionRows>
      ) : (
        <Button look="quiet" className="-ml-3.5 justify-self-start" onClick={switchMode}>
          Edit as rows
        </Button>
      )}
      {rejection !== undefined && <FieldErrors errors={[rejection]} />}
      <Verdict
        verdict={filled.length === 0 && mode === "rows" ? null : verdict}
        tally={tally?.ok === true && tally.value !== null ? describeTally(tally.value) : ""}
      />
    </div>
  );
}

function describeRuns({ evaluated, runs }: FilterTally): string {
  return evaluated === 0 ? "" : `Would run for ${runs} of the last ${evaluated}.`;
}

type VerdictProps = Pick<FilterFieldsProps, "verdict"> & { readonly tally: string };

function Verdict({ verdict, tally }: VerdictProps) {
  return (
    <div aria-live="polite" className="grid gap-1 text-sm empty:hidden">
      {verdict !== null && (
        <p className="break-words">
          {verdict.matches ? (
            <span className="text-positive">Would run for the chosen delivery.</span>
          ) : (
            <span className="text-caution">
              Would not run for the chosen delivery: {safeText(verdict.because)}.
            </span>
          )}
        </p>
      )}
      {tally !== "" && <p className="text-muted-foreground tabular-nums">{tally}</p>}
    </div>
  );
}
