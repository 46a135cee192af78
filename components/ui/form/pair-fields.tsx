"use client";

import { Plus, X } from "lucide-react";
import { Button } from "#components/ui/button/button.tsx";
import { IconButton } from "#components/ui/button/icon-button.tsx";
import { control } from "./field.tsx";
import { FieldErrors } from "./field-errors.tsx";

export type Pair = {
  readonly key: number;
  readonly name: string;
  readonly value: string;
  /** Its name is fixed, and its value isn't shown. */
  readonly isStored?: boolean;
};

type PairFieldsProps = {
  /** Label of one row, as in "Header". */
  readonly what: string;
  readonly pairs: readonly Pair[];
  readonly onChange: (pairs: readonly Pair[]) => void;
  readonly errors: readonly string[];
};

/** Names and values as plain text, one row each. */
export function PairFields({ what, pairs, onChange, errors }: PairFieldsProps) {
  const lower = what.toLowerCase();
  const change = (key: number, next: Partial<Pair>) =>
    onChange(pairs.map((pair) => (pair.key === key ? { ...pair, ...next } : pair)));
  const add = () => {
    const key = Math.max(-1, ...pairs.map((pair) => pair.key)) + 1;
    onChange([...pairs, { key, name: "", value: "" }]);
  };
  const isInvalid = errors.length > 0 || undefined;
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      {pairs.map(({ key, name, value, isStored = false }, index) => (
        <div key={key} className="flex min-w-0 items-start gap-2">
          <input
            aria-label={`${what} ${index + 1}, name`}
            aria-invalid={isInvalid}
            value={name}
            readOnly={isStored}
            onChange={(event) => change(key, { name: event.target.value })}
            placeholder="name"
            spellCheck={false}
            autoComplete="off"
            className={`${control} w-2/5! shrink-0 font-mono text-xs read-only:bg-muted`}
          />
          <input
            aria-label={`${what} ${index + 1}, value`}
            aria-invalid={isInvalid}
            value={value}
            onChange={(event) => change(key, { value: event.target.value })}
            placeholder={isStored ? "Stored. Type to replace it" : "value"}
            spellCheck={false}
            autoComplete="off"
            className={`${control} min-w-0 font-mono text-xs`}
          />
          <IconButton
            label={`Remove ${lower} ${name === "" ? index + 1 : name}`}
            onClick={() => onChange(pairs.filter((pair) => pair.key !== key))}
          >
            <X aria-hidden size={15} />
          </IconButton>
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
