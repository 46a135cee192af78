"use client";

import { useEffect, useRef } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { safeText } from "#components/ui/safe-text.ts";
import type { Suggestion } from "./complete-template.ts";

type SuggestionListProps = {
  readonly id: string;
  readonly suggestions: readonly Suggestion[];
  readonly active: number;
  /** From the top of the field, in pixels; undefined: below it. */
  readonly top: number | undefined;
  readonly onAccept: (suggestion: Suggestion) => void;
};

/**
 * Suggested names and filters, each with its value in the chosen delivery. The field keeps the
 * focus.
 */
export function SuggestionList({ id, suggestions, active, top, onAccept }: SuggestionListProps) {
  const list = useRef<HTMLDivElement>(null);

  useEffect(() => {
    list.current?.querySelector(`[data-option="${active}"]`)?.scrollIntoView({ block: "nearest" });
  }, [active]);

  return (
    <div
      ref={list}
      id={id}
      role="listbox"
      aria-label="Suggestions"
      // Set by script, which the page's policy allows, and only after a keystroke.
      style={top === undefined ? undefined : { top }}
      className={classNames(
        "absolute left-0 z-20 max-h-60 w-full min-w-64 overflow-y-auto rounded-md border bg-card p-1 shadow-lg",
        top === undefined && "top-full mt-1",
      )}
    >
      {suggestions.map((suggestion, index) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys
        <div
          key={suggestion.label}
          id={`${id}-${index}`}
          data-option={index}
          role="option"
          tabIndex={-1}
          aria-selected={index === active}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onAccept(suggestion)}
          className={classNames(
            "flex cursor-pointer items-baseline gap-3 rounded-sm px-2 py-1 text-xs",
            index === active ? "bg-muted" : "hover:bg-muted",
          )}
        >
          <span className="min-w-0 font-mono break-all">{safeText(suggestion.label)}</span>
          <span className="ml-auto max-w-1/2 min-w-0 shrink truncate text-muted-foreground">
            {suggestion.detail}
          </span>
          <span className="w-12 shrink-0 text-right text-muted-foreground">{suggestion.kind}</span>
        </div>
      ))}
    </div>
  );
}
