"use client";

import { useEffect, useRef } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { ComboList, comboboxProps, useCombobox } from "#components/ui/form/combobox.tsx";
import { control, describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { type Choice, useChoices } from "./use-choices.ts";

type ChoiceFieldProps = {
  readonly label: string;
  readonly name: string;
  readonly of: "hooks" | "actions";
  /** Only the actions of this hook. Empty: all actions. */
  readonly hookId?: string;
  /** The chosen id. Empty: any. */
  readonly value: string;
  /** The name of the chosen value. Null: it doesn't exist. */
  readonly chosen: string | null;
  readonly error: string | undefined;
};

/** A filter with too many values for a select: the text is searched for on the server. */
export function ChoiceField(props: ChoiceFieldProps) {
  const { label, name, of, hookId = "", value, chosen, error } = props;
  const field = useRef<HTMLInputElement>(null);
  const hidden = useRef<HTMLInputElement>(null);
  const combo = useCombobox();
  const { text } = combo;
  const { choices, isMore, isDone } = useChoices(text === null ? null : { of, hookId, text });
  const shown = value === "" ? "" : safeText(chosen ?? value);
  const any = `Any ${label.toLowerCase()}`;
  const options: readonly Choice[] = text === "" ? [{ id: "", name: any }, ...choices] : choices;
  const offer = { combo, options, choose };

  // The URL may change under the form. Text that is being typed stays.
  useEffect(() => {
    if (hidden.current !== null) hidden.current.value = value;
    if (field.current !== null) field.current.value = shown;
  }, [value, shown]);

  // Leaving the field without a choice changes nothing.
  useEffect(() => {
    if (text === null && field.current !== null && hidden.current?.value === value)
      field.current.value = shown;
  }, [text, value, shown]);

  function choose(choice: Choice) {
    if (hidden.current === null || field.current === null) return;
    hidden.current.value = choice.id;
    field.current.value = choice.id === "" ? "" : safeText(choice.name);
    combo.close();
    hidden.current.form?.requestSubmit();
  }

  const found = choices.length === 0 && text !== "" ? "No results" : "";
  return (
    <FieldFrame id={combo.id} label={label} error={error}>
      <div className="relative">
        <input
          {...comboboxProps({ ...offer, open: () => combo.open(""), isDone })}
          ref={field}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(combo.id, undefined, error)}
          placeholder={any}
          defaultValue={shown}
          onChange={(event) => combo.open(event.target.value)}
          onFocus={(event) => event.target.select()}
          className={classNames(control, "truncate")}
        />
        <input ref={hidden} type="hidden" name={name} defaultValue={value} />
        <ComboList
          {...offer}
          label={label}
          keyOf={(choice) => choice.id}
          status={isDone ? (isMore ? "Type to find more." : found) : "Searching…"}
        >
          {(choice) => (
            <span className="text-sm">
              {safeText(choice.name)}
              {choice.hookName !== undefined && hookId === "" && (
                <span className="text-muted-foreground">{` (${safeText(choice.hookName)})`}</span>
              )}
            </span>
          )}
        </ComboList>
      </div>
    </FieldFrame>
  );
}
