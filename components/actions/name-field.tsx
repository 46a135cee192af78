"use client";

import { useId, useState } from "react";
import { SuggestionList } from "#components/template/suggestion-list.tsx";
import { useTemplateNames } from "#components/template/template-names.tsx";
import { control } from "#components/ui/form/field.tsx";

type NameFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
};

const maxOffered = 40;

/** A template name without braces, as filters use it, with suggestions. */
export function NameField({ label, value, onChange }: NameFieldProps) {
  const id = useId();
  const names = useTemplateNames();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const wanted = value.trim().toLowerCase();
  const offered = names
    .filter(({ label: name }) => name.toLowerCase().includes(wanted) && name !== value)
    .slice(0, maxOffered);
  const isShown = isOpen && offered.length > 0;

  function accept(name: string | undefined) {
    if (name !== undefined) onChange(name);
    setIsOpen(false);
  }

  return (
    <div className="relative min-w-0">
      <input
        role="combobox"
        aria-label={label}
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown ? `${id}-list-${active}` : undefined}
        value={value}
        placeholder="data.object.status"
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => {
          onChange(event.target.value);
          setActive(0);
          setIsOpen(true);
        }}
        onFocus={() => setIsOpen(value === "")}
        onBlur={() => setIsOpen(false)}
        onKeyDown={(event) => {
          const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
          if (step !== undefined && offered.length > 0) {
            if (isShown) setActive((active + step + offered.length) % offered.length);
            setIsOpen(true);
          } else if (event.key === "Enter") {
            if (isShown) accept(offered[active]?.text);
          } else if (event.key === "Escape" && isShown) setIsOpen(false);
          else return;
          event.preventDefault();
        }}
        className={`${control} font-mono text-xs`}
      />
      {isShown && (
        <SuggestionList
          id={`${id}-list`}
          suggestions={offered}
          active={active}
          top={undefined}
          onAccept={({ text }) => accept(text)}
        />
      )}
    </div>
  );
}
