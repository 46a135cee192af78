"use client";

import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
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

const any: Choice = { id: "", name: "Any" };

/**
 * A filter with too many values for a select: the text is searched for on the server. It is a
 * combobox as in the ARIA Authoring Practices, with the focus always in the text field.
 */
export function ChoiceField(props: ChoiceFieldProps) {
  const { label, name, of, hookId = "", value, chosen, error } = props;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const hidden = useRef<HTMLInputElement>(null);
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const { choices, isMore, isDone } = useChoices(text === null ? null : { of, hookId, text });
  const options = text === "" ? [any, ...choices] : choices;
  const shown = value === "" ? "" : safeText(chosen ?? value);

  // The URL may change under the form. Text that is being typed stays.
  useEffect(() => {
    if (hidden.current !== null) hidden.current.value = value;
    if (field.current !== null) field.current.value = shown;
  }, [value, shown]);

  function open(next: string) {
    setText(next);
    setActive(0);
  }

  function close() {
    setText(null);
    if (field.current !== null) field.current.value = shown;
  }

  function choose(choice: Choice | undefined) {
    if (choice === undefined || hidden.current === null || field.current === null) return;
    hidden.current.value = choice.id;
    field.current.value = choice.id === "" ? "" : safeText(choice.name);
    setText(null);
    hidden.current.form?.requestSubmit();
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (text === null) open("");
      else setActive((active + step + options.length) % Math.max(1, options.length));
    } else if (event.key === "Enter" && text !== null) {
      event.preventDefault();
      // The listed options may still belong to the previous text.
      if (isDone) choose(options[active]);
    } else if (event.key === "Escape" && text !== null) {
      event.preventDefault();
      close();
    }
  }

  const list = `${id}-list`;
  const isOpen = text !== null;
  const hasOptions = isOpen && options.length > 0;
  return (
    <div className="relative">
      <FieldFrame id={id} label={label} error={error}>
        <input
          ref={field}
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={hasOptions ? list : undefined}
          aria-autocomplete="list"
          aria-activedescendant={hasOptions ? `${list}-${active}` : undefined}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy(id, undefined, error)}
          autoComplete="off"
          spellCheck={false}
          placeholder="Any"
          defaultValue={shown}
          onClick={() => !isOpen && open("")}
          onChange={(event) => open(event.target.value)}
          onKeyDown={onKeyDown}
          onFocus={(event) => event.target.select()}
          onBlur={close}
          className={classNames(control, "truncate")}
        />
        <input ref={hidden} type="hidden" name={name} defaultValue={value} />
      </FieldFrame>
      {isOpen && (
        <div
          className={
            "absolute top-full left-0 z-20 mt-1 w-full min-w-60 " +
            "rounded-lg border bg-card p-1 text-sm shadow-lg"
          }
        >
          <div
            id={list}
            role="listbox"
            aria-label={label}
            hidden={!hasOptions}
            className="max-h-72 overflow-y-auto"
          >
            {options.map((choice, at) => (
              <div
                key={choice.id}
                id={`${list}-${at}`}
                role="option"
                tabIndex={-1}
                aria-selected={at === active}
                ref={at === active ? scrollIntoView : undefined}
                // Runs before the field loses the focus.
                onPointerDown={(event) => {
                  event.preventDefault();
                  choose(choice);
                }}
                className="cursor-pointer rounded-md px-2.5 py-1.5 break-words hover:bg-muted aria-selected:bg-muted"
              >
                {safeText(choice.name)}
                {choice.hookName !== undefined && hookId === "" && (
                  <span className="text-muted-foreground">{` (${safeText(choice.hookName)})`}</span>
                )}
              </div>
            ))}
          </div>
          <p role="status" className="px-2.5 text-xs text-muted-foreground">
            {!isDone && <span className="block py-1.5">Searching…</span>}
            {isDone && text !== "" && choices.length === 0 && (
              <span className="block py-1.5">No results</span>
            )}
            {isDone && isMore && <span className="block py-1.5">Type to find more.</span>}
          </p>
        </div>
      )}
    </div>
  );
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
