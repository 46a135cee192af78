"use client";

import { Plus, X } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { control } from "./field.tsx";
import { FieldErrors } from "./field-errors.tsx";
import type { Pair } from "./pairs.ts";

type PairFieldsProps = {
  /** The label of one row, as in "Header". */
  readonly what: string;
  /** Where the rows are, for links to one of them: `body` for `#body.amount`. */
  readonly place?: string | undefined;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
  /** The errors of all rows together. */
  readonly errors: readonly string[];
  /** Replaces the plain text field of a value. It shows that row's errors itself. */
  readonly valueField?: (field: PairValue) => ReactNode;
};

type PairValue = {
  readonly label: string;
  readonly pair: Pair;
  readonly onChange: (value: string) => void;
};

/** Names and values, one row each. */
export function PairFields(props: PairFieldsProps) {
  const { what, place, pairs, onChange, errors, valueField } = props;
  const lower = what.toLowerCase();
  const change = (key: number, next: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...next } : pair)));
  const add = () => {
    const key = Math.max(-1, ...pairs.map((pair) => pair.key)) + 1;
    onChange([...pairs, { key, name: "", value: "" }]);
  };
  const isInvalid = (errors.length > 0 && valueField === undefined) || undefined;
  return (
    <div className="@container grid min-w-0 grid-cols-1 gap-3">
      {pairs.map((pair, index) => {
        const { key, name, value, isStored = false } = pair;
        const label = `${what} ${index + 1}, value`;
        const onValue = (next: string) => change(key, { value: next });
        return (
          <div
            key={key}
            className={row}
            data-place={place === undefined ? undefined : `${place}.${name}`}
          >
            <input
              aria-label={`${what} ${index + 1}, name`}
              aria-invalid={isInvalid}
              value={name}
              readOnly={isStored}
              onChange={(event) => change(key, { name: event.target.value })}
              placeholder="name"
              spellCheck={false}
              autoComplete="off"
              className={`${control} min-w-0 font-mono text-xs read-only:bg-muted`}
            />
            <div className={valueCell}>
              {valueField?.({ label, pair, onChange: onValue }) ?? (
                <input
                  aria-label={label}
                  aria-invalid={isInvalid}
                  value={value}
                  onChange={(event) => onValue(event.target.value)}
                  placeholder={isStored ? "Stored. Type to replace it" : "value"}
                  spellCheck={false}
                  autoComplete="off"
                  className={`${control} min-w-0 font-mono text-xs`}
                />
              )}
            </div>
            <IconButton
              label={`Remove ${lower} ${name === "" ? index + 1 : name}`}
              onClick={() => onChange(pairs.filter((other) => other.key !== key))}
              className="col-start-2 row-start-1 @md:col-start-3"
            >
              <X aria-hidden size={15} />
            </IconButton>
          </div>
        );
      })}
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

/** In a narrow form the value has a line of its own, so that it doesn't break within names. */
const row =
  "grid min-w-0 grid-cols-[minmax(0,1fr)_auto] items-start gap-x-2 gap-y-1 " +
  "@md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto]";
const valueCell = "col-span-2 row-start-2 min-w-0 @md:col-span-1 @md:col-start-2 @md:row-start-1";
