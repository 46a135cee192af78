"use client";

import { type KeyboardEvent, useId, useState } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { control, FieldFrame } from "#components/ui/form/field.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import { useTimeZone } from "#components/ui/time/time-zone.tsx";
import { useLatestResponse } from "#components/ui/use-latest.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { describeOption, type MappingDelivery } from "./mapping-delivery.ts";

type DeliveryPickerProps = {
  /** The latest ones, offered without a search. */
  readonly deliveries: readonly MappingDelivery[];
  readonly chosen: MappingDelivery;
  /** Finds deliveries by id, event type, or a text in the payload. */
  readonly search: (text: string) => Promise<CommandResult<readonly MappingDelivery[]>>;
  readonly onChoose: (delivery: MappingDelivery) => void;
};

const typingMs = 250;

/**
 * The delivery to map, found by its event id or anything in it. It is a combobox as in the ARIA
 * Authoring Practices, with the focus always in the text field.
 */
export function DeliveryPicker({ deliveries, chosen, search, onChoose }: DeliveryPickerProps) {
  const id = useId();
  /** Null: closed. */
  const [text, setText] = useState<string | null>(null);
  const [active, setActive] = useState(0);
  const wanted = text?.trim() ?? "";
  const found = useLatestResponse(wanted === "" ? null : wanted, typingMs, async (question) => ({
    question,
    result: await search(question).catch(() => serverUnreachable),
  }));
  const isDone = wanted === "" || found?.question === wanted;
  const options = wanted === "" ? deliveries : found?.result.ok === true ? found.result.value : [];
  const isOpen = text !== null;
  const hasOptions = isOpen && options.length > 0;
  const list = `${id}-list`;
  const shown = describeOption(chosen, useTimeZone() ?? "UTC");

  function open(next: string) {
    setText(next);
    setActive(Math.max(0, next === "" ? deliveries.findIndex((one) => one.id === chosen.id) : 0));
  }

  function choose(delivery: MappingDelivery | undefined) {
    if (delivery === undefined) return;
    setText(null);
    onChoose(delivery);
  }

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      if (!isOpen) open("");
      else setActive((active + step + options.length) % Math.max(1, options.length));
    } else if (event.key === "Enter" && isOpen) {
      event.preventDefault();
      if (isDone) choose(options[active]);
    } else if (event.key === "Escape" && isOpen) {
      event.preventDefault();
      setText(null);
    }
  }

  return (
    <div className="relative">
      <FieldFrame id={id} label="Delivery">
        <input
          id={id}
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={hasOptions ? list : undefined}
          aria-autocomplete="list"
          aria-activedescendant={hasOptions ? `${list}-${active}` : undefined}
          autoComplete="off"
          spellCheck={false}
          placeholder="Search id, type, or payload"
          value={text ?? safeText(`${shown.title}, ${shown.details}`)}
          onClick={() => !isOpen && open("")}
          onChange={(event) => open(event.target.value)}
          onKeyDown={onKeyDown}
          onBlur={() => setText(null)}
          className={classNames(control, "truncate")}
        />
      </FieldFrame>
      {isOpen && (
        <div className="absolute top-full left-0 z-20 mt-1 w-full rounded-lg border bg-card p-1 text-sm shadow-lg">
          <div
            id={list}
            role="listbox"
            aria-label="Deliveries"
            hidden={!hasOptions}
            className="max-h-80 overflow-y-auto"
          >
            {options.map((delivery, at) => (
              <Option
                key={delivery.id}
                id={`${list}-${at}`}
                delivery={delivery}
                isActive={at === active}
                isChosen={delivery.id === chosen.id}
                onChoose={() => choose(delivery)}
              />
            ))}
          </div>
          <p role="status" className="px-2.5 text-xs text-muted-foreground">
            {!isDone && <span className="block py-1.5">Searching…</span>}
            {isDone && options.length === 0 && (
              <span className="block py-1.5">
                {found?.result.ok === false ? found.result.message : "No results"}
              </span>
            )}
          </p>
        </div>
      )}
    </div>
  );
}

type OptionProps = {
  readonly id: string;
  readonly delivery: MappingDelivery;
  readonly isActive: boolean;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
};

function Option({ id, delivery, isActive, isChosen, onChoose }: OptionProps) {
  const { title, details } = describeOption(delivery, useTimeZone() ?? "UTC");
  return (
    <div
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      ref={isActive ? scrollIntoView : undefined}
      // Runs before the field loses the focus.
      onPointerDown={(event) => {
        event.preventDefault();
        onChoose();
      }}
      className={classNames(
        "grid cursor-pointer gap-0.5 rounded-md px-2.5 py-1.5 hover:bg-muted aria-selected:bg-muted",
        isChosen && "font-medium",
      )}
    >
      <span className="wrap-anywhere">{safeText(title)}</span>
      <span className="text-xs break-words text-muted-foreground">{safeText(details)}</span>
    </div>
  );
}

function scrollIntoView(option: HTMLElement | null): void {
  option?.scrollIntoView({ block: "nearest" });
}
