"use client";

import { Plus, X } from "lucide-react";
import { TemplateField } from "#components/template/template-field.tsx";
import { Button } from "#components/ui/button/button.tsx";
import { FieldErrors } from "#components/ui/form/field-errors.tsx";
import type { FieldError } from "#lib/schema/field/command-result.ts";
import type { Pair } from "./draft/action-draft.ts";

type PairRowsProps = {
  /** Label of one row, as in "Header". */
  readonly what: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
  /** Errors of the row with that name. */
  readonly errorsOf: (name: string) => readonly FieldError[];
  /** What the row's value renders to. */
  readonly resolvedOf?: (name: string) => string | undefined;
  /** Errors of all rows together. */
  readonly errors: readonly string[];
};

/** Names and values, one row each. */
export function PairRows({ what, pairs, onChange, errorsOf, resolvedOf, errors }: PairRowsProps) {
  const lower = what.toLowerCase();
  const change = (key: number, next: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...next } : pair)));
  const add = () =>
    onChange([
      ...pairs,
      { key: Math.max(0, ...pairs.map(({ key }) => key + 1)), name: "", value: "" },
    ]);
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      {pairs.map(({ key, name, value }, index) => (
        <div key={key} className="flex min-w-0 items-start gap-2">
          <input
            aria-label={`${what} ${index + 1}, name`}
            value={name}
            onChange={(event) => change(key, { name: event.target.value })}
            placeholder="name"
            spellCheck={false}
            autoComplete="off"
            className="h-9 w-1/3 min-w-0 rounded-md border border-input bg-card px-3 font-mono text-xs placeholder:text-muted-foreground"
          />
          <TemplateField
            label={`${what} ${index + 1}, value`}
            isLabelHidden
            value={value}
            onChange={(next) => change(key, { value: next })}
            placeholder="value"
            errors={name === "" ? [] : errorsOf(name)}
            resolved={name === "" ? undefined : resolvedOf?.(name)}
          />
          <button
            type="button"
            aria-label={`Remove ${lower} ${name === "" ? index + 1 : name}`}
            onClick={() => onChange(pairs.filter((pair) => pair.key !== key))}
            className="inline-flex size-9 shrink-0 items-center justify-center rounded-md text-muted-foreground hover:bg-muted hover:text-foreground"
          >
            <X aria-hidden size={15} />
          </button>
        </div>
      ))}
      {errors.length > 0 && <FieldErrors errors={errors} />}
      <div>
        <Button look="quiet" className="-ml-3.5" onClick={add}>
          <Plus aria-hidden size={15} />
          Add {lower}
        </Button>
      </div>
    </div>
  );
}
