"use client";

import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { ComboList, comboboxProps, useCombobox } from "./combobox.tsx";
import { control, describedBy, FieldFrame } from "./field.tsx";

type ComboOption = { readonly value: string; readonly note?: string | undefined };

type ComboFieldProps = {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly options: readonly ComboOption[];
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  readonly error?: string | undefined;
};

const maxShown = 50;

/**
 * A text field that offers known values. Enter takes the first suggestion, and anything else can be
 * typed.
 */
export function ComboField(props: ComboFieldProps) {
  const { label, name, value, onChange, options, hint, placeholder, error } = props;
  const combo = useCombobox();
  const isReady = useHydrated();
  const offer = {
    combo,
    options: combo.text === null ? [] : filterOptions(options, combo.text),
    choose(option: ComboOption) {
      onChange(option.value);
      combo.close();
    },
  };
  return (
    <FieldFrame id={combo.id} label={label} hint={hint} error={error}>
      <div className="relative">
        <input
          {...comboboxProps({ ...offer, open: () => combo.open("", -1), isFree: true })}
          name={name}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(combo.id, hint, error)}
          readOnly={!isReady}
          value={value}
          placeholder={placeholder}
          onChange={({ target }) => {
            onChange(target.value);
            combo.open(target.value, target.value === "" ? -1 : 0);
          }}
          className={classNames(control, "font-mono text-xs")}
        />
        <ComboList {...offer} label={label} keyOf={(option) => option.value}>
          {(option) => (
            <span className="flex flex-wrap gap-x-3 text-xs">
              <span className="font-mono wrap-anywhere">{safeText(option.value)}</span>
              {option.note !== undefined && (
                <span className="break-words text-muted-foreground">{safeText(option.note)}</span>
              )}
            </span>
          )}
        </ComboList>
      </div>
    </FieldFrame>
  );
}

/** Options that contain the text. Those that start with it come first. */
function filterOptions(options: readonly ComboOption[], text: string): readonly ComboOption[] {
  const wanted = text.trim().toLowerCase();
  const found = options.filter(({ value, note }) =>
    `${value} ${note ?? ""}`.toLowerCase().includes(wanted),
  );
  const isStart = ({ value }: ComboOption) => value.toLowerCase().startsWith(wanted);
  const sorted = [...found.filter(isStart), ...found.filter((option) => !isStart(option))];
  return sorted.slice(0, maxShown);
}
