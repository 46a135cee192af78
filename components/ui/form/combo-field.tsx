"use client";

import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useHydrated } from "#components/ui/use-hydrated.ts";
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
 * A text field that offers known values: a combobox as in the ARIA Authoring Practices. Enter takes
 * the first suggestion, and anything else can be typed.
 */
export function ComboField(props: ComboFieldProps) {
  const { label, name, value, onChange, options, hint, placeholder, error } = props;
  const id = useId();
  const isReady = useHydrated();
  /** True while the list is filtered by what is typed. */
  const [isTyping, setTyping] = useState(false);
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const offered = isOpen ? filterOptions(options, isTyping ? value : "") : [];

  function open(typing: boolean) {
    setTyping(typing);
    setActive(typing ? 0 : -1);
    setOpen(true);
  }

  function choose(option: ComboOption) {
    onChange(option.value);
    setOpen(false);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const option = offered[active];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) open(false);
      else if (offered.length > 0)
        setActive((Math.max(active, step === 1 ? -1 : 0) + step + offered.length) % offered.length);
    } else if (event.key === "Enter" && option !== undefined) {
      event.preventDefault();
      choose(option);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      setOpen(false);
    }
  }

  const list = `${id}-list`;
  const hasOptions = offered.length > 0;
  return (
    <div className="relative min-w-0">
      <FieldFrame id={id} label={label} hint={hint} error={error}>
        <input
          id={id}
          name={name}
          role="combobox"
          aria-expanded={hasOptions}
          aria-controls={hasOptions ? list : undefined}
          aria-autocomplete="list"
          aria-activedescendant={offered[active] === undefined ? undefined : `${list}-${active}`}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, hint, error)}
          autoComplete="off"
          spellCheck={false}
          readOnly={!isReady}
          value={value}
          placeholder={placeholder}
          onClick={() => !isOpen && open(false)}
          onChange={(event) => {
            onChange(event.target.value);
            open(event.target.value !== "");
          }}
          onKeyDown={onKeyDown}
          onBlur={() => setOpen(false)}
          className={classNames(control, "font-mono text-xs")}
        />
      </FieldFrame>
      {hasOptions && (
        <div
          id={list}
          role="listbox"
          aria-label={label}
          className={
            "absolute top-[3.875rem] left-0 z-20 mt-1 max-h-64 w-full min-w-60 " +
            "overflow-y-auto rounded-lg border bg-card p-1 shadow-lg"
          }
        >
          {offered.map((option, at) => (
            <div
              key={option.value}
              id={`${list}-${at}`}
              role="option"
              tabIndex={-1}
              aria-selected={at === active}
              ref={at === active ? scrollIntoView : undefined}
              // Runs before the field loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                choose(option);
              }}
              className={
                "flex cursor-pointer flex-wrap gap-x-3 rounded-md px-2.5 py-1.5 text-xs " +
                "hover:bg-muted aria-selected:bg-muted"
              }
            >
              <span className="font-mono wrap-anywhere">{safeText(option.value)}</span>
              {option.note !== undefined && (
                <span className="break-words text-muted-foreground">{safeText(option.note)}</span>
              )}
            </div>
          ))}
        </div>
      )}
    </div>
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

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
