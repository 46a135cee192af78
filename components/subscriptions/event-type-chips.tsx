"use client";

import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
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
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  /** The chosen suggestion. Null: the one that Enter takes without a choice. */
  const [chosen, setChosen] = useState<number | null>(null);
  const isReady = useHydrated();
  const offered = isOpen ? offerTypes(known, value, text) : [];
  const isTyped = text.trim() !== "";
  const active = chosen ?? (isTyped ? offered.indexOf(takeType(offered, text)) : -1);
  const unknown = findUnknown(known, value);
  const hint = "A prefix such as invoice.* includes every type that starts with it.";

  function add(...types: readonly string[]) {
    const added = types.map((type) => type.trim()).filter((type) => type !== "");
    if (added.length > 0) onChange([...new Set([...value, ...added])]);
    setText("");
    setChosen(null);
  }

  function remove(type: string) {
    onChange(value.filter((one) => one !== type));
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setOpen(true);
      const count = offerTypes(known, value, text).length;
      if (count > 0) setChosen((Math.max(active, step === 1 ? -1 : 0) + step + count) % count);
    } else if (event.key === "Enter" && (offered[active] !== undefined || isTyped)) {
      event.preventDefault();
      add(offered[active] ?? text);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      setOpen(false);
    } else if (event.key === "Backspace" && text === "" && value.length > 0) {
      onChange(value.slice(0, -1));
    }
  }

  function type(next: string) {
    const parts = next.split(/[,\s]+/);
    if (parts.length > 1) return add(...parts);
    setText(next);
    setOpen(true);
    setChosen(null);
  }

  const list = `${id}-list`;
  return (
    <div className="relative">
      <FieldFrame id={id} label="Event types" hint={hint} error={error}>
        <div
          className={
            "flex min-h-9 flex-wrap items-center gap-1.5 rounded-md border " +
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
            ref={field}
            id={id}
            role="combobox"
            aria-expanded={offered.length > 0}
            aria-controls={offered.length > 0 ? list : undefined}
            aria-autocomplete="list"
            aria-activedescendant={offered[active] === undefined ? undefined : `${list}-${active}`}
            aria-invalid={error !== undefined || undefined}
            aria-describedby={describedBy(id, hint, error)}
            autoComplete="off"
            spellCheck={false}
            readOnly={!isReady}
            value={text}
            placeholder={value.length === 0 ? "invoice.paid" : ""}
            onChange={(event) => type(event.target.value)}
            onKeyDown={onKeyDown}
            onFocus={() => setOpen(true)}
            onBlur={() => {
              add(text);
              setOpen(false);
            }}
            className={
              "h-6 min-w-32 flex-1 bg-transparent px-1.5 font-mono text-xs outline-none " +
              "placeholder:text-muted-foreground"
            }
          />
        </div>
        {unknown.length > 0 && (
          <p role="status" className="text-sm text-caution">
            {unknown.length === 1
              ? `${safeText(unknown[0] ?? "")} is not in the catalog.`
              : `${unknown.map(safeText).join(", ")} are not in the catalog.`}
          </p>
        )}
      </FieldFrame>
      {offered.length > 0 && (
        <div
          id={list}
          role="listbox"
          aria-label="Event types"
          className={
            "absolute top-17 left-0 z-20 max-h-64 w-full " +
            "overflow-y-auto rounded-lg border bg-card p-1 shadow-lg"
          }
        >
          {offered.map((one, at) => (
            <div
              key={one}
              id={`${list}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              // Runs before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                add(one);
              }}
              className={
                "cursor-pointer rounded-md px-2.5 py-1.5 font-mono text-xs " +
                "wrap-anywhere hover:bg-muted aria-selected:bg-muted"
              }
            >
              {safeText(one)}
            </div>
          ))}
        </div>
      )}
    </div>
  );
}
