"use client";

import { type FocusEvent, useCallback, useRef, useState } from "react";
import type { InsertField } from "#components/template/template-context.tsx";

/**
 * Inserts a payload field at the cursor of the template field that has or last had the focus.
 * Without one, `add` decides where it goes, and reports it.
 */
export function useInsertion(add: (path: string) => string) {
  const atCursor = useRef<InsertField>(null);
  const [message, setMessage] = useState("");

  /** For the form's other fields. Clicking a button (such as "Add row") keeps the cursor. */
  function onFormFocus({ target }: FocusEvent) {
    if (target.matches("input, textarea, select")) atCursor.current = null;
  }

  const onFocus = useCallback((insert: InsertField | null) => {
    atCursor.current = insert;
  }, []);

  const onInsert = useCallback((text: string) => setMessage(`Inserted ${text}`), []);

  function insert(path: string) {
    const text = atCursor.current?.(path) ?? null;
    if (text === null) setMessage(add(path));
    else onInsert(text);
  }

  return { onFormFocus, onFocus, onInsert, insert, message };
}
