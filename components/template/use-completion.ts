"use client";

import { type KeyboardEvent, useState } from "react";
import { applySuggestion, completeTemplate, type Suggestion } from "./complete-template.ts";
import { useTemplateNames } from "./template-names.tsx";
import { writeText } from "./write-text.ts";

/**
 * Suggestions while typing a template: they open on typing or Ctrl+Space, and never handle a key
 * that isn't theirs.
 */
export function useCompletion(value: string, place: "text" | "json") {
  const names = useTemplateNames();
  const [caret, setCaret] = useState<number | null>(null);
  const [active, setActive] = useState(0);
  const completion = caret === null ? null : completeTemplate(value, caret, names, place);
  const suggestions = completion?.suggestions ?? [];
  const close = () => setCaret(null);

  function openAt(control: HTMLTextAreaElement) {
    setActive(0);
    setCaret(control.selectionStart);
  }

  function accept(control: HTMLTextAreaElement, suggestion: Suggestion | undefined) {
    if (completion === null || suggestion === undefined) return;
    const applied = applySuggestion(value, completion, suggestion);
    // Writes only the difference, so that Ctrl+Z undoes just that.
    const tail = value.length - completion.to;
    writeText(
      control,
      completion.from,
      completion.to,
      applied.text.slice(completion.from, applied.text.length - tail),
    );
    control.setSelectionRange(applied.caret, applied.caret);
    close();
  }

  /** Whether the list handled the key. */
  function onKeyDown(event: KeyboardEvent<HTMLTextAreaElement>): boolean {
    const control = event.currentTarget;
    if (event.ctrlKey && event.key === " ") {
      event.preventDefault();
      openAt(control);
      return true;
    }
    if (suggestions.length === 0) return false;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) setActive((active + step + suggestions.length) % suggestions.length);
    else if (event.key === "Enter" || event.key === "Tab") accept(control, suggestions[active]);
    else if (event.key === "Escape") close();
    else return false;
    event.preventDefault();
    return true;
  }

  return { caret, suggestions, active, openAt, accept, close, onKeyDown };
}
