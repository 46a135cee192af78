"use client";

import { type KeyboardEvent, type ReactNode, useId, useState } from "react";

/**
 * The state of a combobox as in the ARIA Authoring Practices: a text field that keeps the focus, and
 * a list below it. `text` is what the list is for. Null: it is closed.
 */
export function useCombobox() {
  const id = useId();
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(-1);
  return {
    id,
    text,
    active,
    setActive,
    /** Opens the list, with one of its options as the active one. -1: none. */
    open(next: string, first = 0) {
      setText(next);
      setActive(first);
    },
    close: () => setText(null),
  };
}

type Combobox = ReturnType<typeof useCombobox>;

type Offer<Option> = {
  readonly combo: Combobox;
  readonly options: readonly Option[];
  readonly choose: (option: Option) => void;
};

type FieldOffer<Option> = Offer<Option> & {
  /** The arrow keys open the list. */
  readonly open: () => void;
  /** False: the options still belong to the text before, and Enter takes none. */
  readonly isDone?: boolean;
  /** Anything can be typed: without an active option, Enter does what it does in any field. */
  readonly isFree?: boolean;
};

/** The properties of the text field. Arrow keys choose, Enter takes, and Escape closes the list. */
export function comboboxProps<Option>({
  combo,
  options,
  choose,
  open,
  isDone = true,
  isFree = false,
}: FieldOffer<Option>) {
  const { id, text, active, setActive, close } = combo;
  const isOpen = text !== null;
  const option = isOpen ? options[active] : undefined;

  function onKeyDown(event: KeyboardEvent) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      if (!isOpen) open();
      else if (options.length > 0)
        setActive((Math.max(active, step === 1 ? -1 : 0) + step + options.length) % options.length);
    } else if (event.key === "Enter" && isOpen && (option !== undefined || !isFree)) {
      if (isDone && option !== undefined) choose(option);
    } else if (event.key === "Escape" && isOpen) close();
    else return;
    event.preventDefault();
  }

  const isShown = isOpen && options.length > 0;
  return {
    id,
    role: "combobox",
    "aria-expanded": isShown,
    "aria-controls": isShown ? `${id}-list` : undefined,
    "aria-autocomplete": "list",
    "aria-activedescendant": option === undefined ? undefined : `${id}-list-${active}`,
    autoComplete: "off",
    spellCheck: false,
    onKeyDown,
    onClick: () => !isOpen && open(),
    onBlur: close,
  } as const;
}

type ComboListProps<Option> = Offer<Option> & {
  readonly label: string;
  readonly keyOf: (option: Option) => string;
  readonly children: (option: Option) => ReactNode;
  /** The line below the options, read out too. Empty: nothing now. */
  readonly status?: string;
};

/** The open list. It stands beside the text field, in an element that is `relative`. */
export function ComboList<Option>(props: ComboListProps<Option>) {
  const { combo, options, choose, label, keyOf, children, status } = props;
  if (combo.text === null || (options.length === 0 && !status)) return null;
  return (
    <div className="absolute top-full left-0 z-20 mt-1 w-full min-w-60 rounded-lg border bg-card p-1 shadow-lg">
      <div
        id={`${combo.id}-list`}
        role="listbox"
        aria-label={label}
        hidden={options.length === 0}
        className="max-h-72 overflow-y-auto"
      >
        {options.map((option, at) => (
          <div
            key={keyOf(option)}
            id={`${combo.id}-list-${at}`}
            role="option"
            tabIndex={-1}
            aria-selected={at === combo.active}
            ref={at === combo.active ? scrollIntoView : undefined}
            // Runs before the field loses the focus.
            onPointerDown={(event) => {
              event.preventDefault();
              choose(option);
            }}
            className="cursor-pointer rounded-md px-2.5 py-1.5 wrap-anywhere hover:bg-muted aria-selected:bg-muted"
          >
            {children(option)}
          </div>
        ))}
      </div>
      {status !== undefined && (
        <p role="status" className="px-2.5 text-xs text-muted-foreground">
          {status !== "" && <span className="block py-1.5">{status}</span>}
        </p>
      )}
    </div>
  );
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
