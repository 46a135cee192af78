"use client";

import { Plus, X } from "lucide-react";
import { useId, useState } from "react";
import { useTemplateContext } from "#components/template/template-context.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { CodeEditor } from "#components/ui/code/code-editor.tsx";
import { control } from "#components/ui/form/field.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { type ActionErrors, namedTextsUnder, textsAt, textsUnder } from "./action-errors.ts";
import {
  type ConditionDraft,
  type FilterDraft,
  type FilterTally,
  type FilterVerdictView,
  filledRows,
  hasValue,
  operators,
  switchFilterMode,
} from "./draft/filter-draft.ts";
import { NameField } from "./name-field.tsx";

type FilterFieldsProps = {
  readonly filter: FilterDraft;
  readonly onChange: (filter: FilterDraft) => void;
  readonly errors: ActionErrors;
  /** For the chosen delivery; null: unknown. */
  readonly verdict: FilterVerdictView | null;
  /** For the latest deliveries; undefined: unknown, null: there is no filter. */
  readonly tally: CommandResult<FilterTally | null> | undefined;
};

/** The "Run only when …" conditions, with what they would have matched. */
export function FilterFields({ filter, onChange, errors, verdict, tally }: FilterFieldsProps) {
  const id = useId();
  const { onFocus } = useTemplateContext();
  const [rejection, setProblem] = useState<string>();
  const { rows, match, mode } = filter;
  const filled = filledRows(filter);
  const change = (key: number, next: Partial<ConditionDraft>) =>
    onChange({ ...filter, rows: rows.map((row) => (row.key === key ? { ...row, ...next } : row)) });

  function add() {
    const key = Math.max(-1, ...rows.map((row) => row.key)) + 1;
    onChange({ ...filter, rows: [...rows, { key, path: "", op: "equals", value: "" }] });
  }

  function switchMode() {
    const switched = switchFilterMode(filter);
    setProblem(switched.ok ? undefined : switched.message);
    if (switched.ok) onChange(switched.draft);
  }

  return (
    <div className="grid min-w-0 grid-cols-1 gap-3">
      {mode === "rows" && rows.length > 1 && (
        <select
          aria-label="Match"
          value={match}
          onChange={(event) =>
            onChange({ ...filter, match: event.target.value === "any" ? "any" : "all" })
          }
          className={`${control} w-auto justify-self-start`}
        >
          <option value="all">All conditions match</option>
          <option value="any">Any condition matches</option>
        </select>
      )}
      {mode === "rows" &&
        rows.map((row, index) => (
          <ConditionRow
            key={row.key}
            row={row}
            number={index + 1}
            onChange={(next) => change(row.key, next)}
            onRemove={() =>
              onChange({ ...filter, rows: rows.filter(({ key }) => key !== row.key) })
            }
            errors={conditionErrors(errors, match, filled.indexOf(row))}
          />
        ))}
      {mode === "json" && (
        <CodeEditor
          id={`${id}-json`}
          label="Filter as JSON"
          language="json"
          rows={8}
          value={filter.json}
          onChange={(json) => onChange({ ...filter, json })}
          placeholder={'{ "all": [{ "path": "type", "op": "equals", "value": "order.paid" }] }'}
          onFocus={() => onFocus(null)}
        />
      )}
      {mode === "json" && namedTextsUnder(errors, "filter").length > 0 && (
        <FieldErrors errors={namedTextsUnder(errors, "filter")} />
      )}
      {mode === "rows" && textsAt(errors, "filter").length > 0 && (
        <FieldErrors errors={textsAt(errors, "filter")} />
      )}
      <div className="flex flex-wrap gap-x-1">
        {mode === "rows" && (
          <Button look="quiet" className="-ml-3.5" onClick={add}>
            <Plus aria-hidden size={15} />
            Add condition
          </Button>
        )}
        <Button look="quiet" className={mode === "rows" ? "" : "-ml-3.5"} onClick={switchMode}>
          {mode === "rows" ? "Edit as JSON" : "Edit as rows"}
        </Button>
      </div>
      {rejection !== undefined && <FieldErrors errors={[rejection]} />}
      <Verdict verdict={filled.length === 0 && mode === "rows" ? null : verdict} tally={tally} />
    </div>
  );
}

function conditionErrors(errors: ActionErrors, match: string, index: number): readonly string[] {
  return index === -1 ? [] : textsUnder(errors, `filter.${match}.${index}`);
}

type ConditionRowProps = {
  readonly row: ConditionDraft;
  readonly number: number;
  readonly onChange: (change: Partial<ConditionDraft>) => void;
  readonly onRemove: () => void;
  readonly errors: readonly string[];
};

function ConditionRow({
  row: { path, op, value },
  number,
  onChange,
  onRemove,
  errors,
}: ConditionRowProps) {
  return (
    <div className="grid gap-1">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-2 sm:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,5fr)_auto]">
        <NameField
          label={`Condition ${number}, name`}
          value={path}
          onChange={(next) => onChange({ path: next })}
        />
        <select
          aria-label={`Condition ${number}, comparison`}
          value={op}
          onChange={(event) => onChange({ op: event.target.value as ConditionDraft["op"] })}
          className={`${control} col-start-1 text-xs sm:col-start-auto`}
        >
          {operators.map((operator) => (
            <option key={operator.op} value={operator.op}>
              {operator.words}
            </option>
          ))}
        </select>
        {hasValue(op) ? (
          <input
            aria-label={`Condition ${number}, value`}
            value={value}
            onChange={(event) => onChange({ value: event.target.value })}
            placeholder={op === "in" ? "paid, open" : "value"}
            spellCheck={false}
            autoComplete="off"
            className={`${control} col-start-1 font-mono text-xs sm:col-start-auto`}
          />
        ) : (
          <span className="hidden sm:block" />
        )}
        <IconButton
          label={`Remove condition ${number}`}
          onClick={onRemove}
          className="col-start-2 row-start-1 sm:col-start-4"
        >
          <X aria-hidden size={15} />
        </IconButton>
      </div>
      {errors.length > 0 && <FieldErrors errors={errors} />}
    </div>
  );
}

function Verdict({ verdict, tally }: Pick<FilterFieldsProps, "verdict" | "tally">) {
  const counted = tally?.ok === true ? tally.value : null;
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
      {counted !== null && counted.evaluated > 0 && (
        <p className="text-muted-foreground tabular-nums">
          Would run for {counted.runs} of the last {counted.evaluated}.
        </p>
      )}
    </div>
  );
}
