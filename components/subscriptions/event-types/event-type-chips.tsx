"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { ComboList, comboboxProps, useCombobox } from "#components/ui/form/combobox.tsx";
import { describedBy, FieldFrame } from "#components/ui/form/field.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
import { findUnknown, offerTypes, takeType } from "./offer-types.ts";

type EventTypeChipsProps = {
  readonly value: readonly string[];
  readonly onChange: (value: readonly string[]) => void;
  /** Event types of the catalog, and published ones. */
  readonly known: readonly string[];
  readonly error: string | undefined;
};

/**
 * The event types of a subscription: chips, and a combobox that offers known types and their
 * prefixes. Enter takes the suggestion. A comma adds what is typed, known or not, and Backspace
 * removes the last.
 */
export function EventTypeChips({ value, onChange, known, error }: EventTypeChipsProps) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const combo = useCombobox();
  const isReady = useHydrated();
  const offer = {
    combo,
    options: combo.text === null ? [] : offerTypes(known, value, text),
    choose: (type: string) => add(type),
  };
  const unknown = findUnknown(known, value);
  const hint = "A prefix such as invoice.* includes every type that starts with it.";

  function add(...types: readonly string[]) {
    const added = types.map((type) => type.trim()).filter((type) => type !== "");
    if (added.length > 0) onChange([...new Set([...value, ...added])]);
    offerFor("");
  }

  /** The suggestion that Enter takes is the active one, once something was typed. */
  function offerFor(next: string) {
    setText(next);
    const offered = offerTypes(known, value, next);
    combo.open(next, next.trim() === "" ? -1 : offered.indexOf(takeType(offered, next)));
  }

  function remove(type: string) {
    onChange(value.filter((one) => one !== type));
    field.current?.focus();
  }

  const { onKeyDown, ...props } = comboboxProps({
    ...offer,
    open: () => combo.open(text, -1),
    isFree: true,
  });

  function onKey(event: KeyboardEvent<HTMLInputElement>) {
    onKeyDown(event);
    if (event.defaultPrevented) return;
    if (event.key === "Enter" && text.trim() !== "") {
      event.preventDefault();
      add(text);
    } else if (event.key === "Backspace" && text === "" && value.length > 0) {
      onChange(value.slice(0, -1));
    }
  }

  function type(next: string) {
    const parts = next.split(/[,\s]+/);
    if (parts.length > 1) add(...parts);
    else offerFor(next);
  }

  return (
    <FieldFrame id={combo.id} label="Event types" hint={hint} error={error}>
      <div
        className={
          "relative flex min-h-9 flex-wrap items-center gap-1.5 rounded-md border " +
          "border-input bg-card px-1.5 py-1 focus-within:outline-2 " +
          "focus-within:outline-ring has-aria-invalid:border-negative"
        }
      >
        {value.map((one) => (
          <span
            key={one}
            className="inline-flex min-w-0 items-center gap-0.5 rounded bg-muted pl-2 font-mono text-xs leading-6"
          >
            <span className="wrap-anywhere">{safeText(one)}</span>
            <button
              type="button"
              aria-label={`Remove ${safeText(one)}`}
              onClick={() => remove(one)}
              className={
                "inline-flex size-6 shrink-0 items-center justify-center " +
                "rounded text-muted-foreground hover:text-foreground"
              }
            >
              <X aria-hidden size={12} />
            </button>
          </span>
        ))}
        <input
          {...props}
          ref={field}
          aria-invalid={error !== undefined || undefined}
          aria-describedby={describedBy(combo.id, hint, error)}
          readOnly={!isReady}
          value={text}
          placeholder={value.length === 0 ? "invoice.paid" : ""}
          onChange={(event) => type(event.target.value)}
          onKeyDown={onKey}
          onFocus={() => combo.open(text, -1)}
          onBlur={() => {
            add(text);
            combo.close();
          }}
          className={
            "h-6 min-w-32 flex-1 bg-transparent px-1.5 font-mono text-xs outline-none " +
            "placeholder:text-muted-foreground"
          }
        />
        <ComboList {...offer} label="Event types" keyOf={(one) => one}>
          {(one) => <span className="font-mono text-xs">{safeText(one)}</span>}
        </ComboList>
      </div>
      {unknown.length > 0 && (
        <p role="status" className="text-sm text-caution">
          {unknown.length === 1
            ? `${safeText(unknown[0] ?? "")} is not in the catalog.`
            : `${unknown.map(safeText).join(", ")} are not in the catalog.`}
        </p>
      )}
    </FieldFrame>
  );
}
