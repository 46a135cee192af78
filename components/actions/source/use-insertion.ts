"use client";

import { type FocusEvent, useCallback, useRef, useState } from "react";
import type { InsertTarget } from "#components/template/template-context.tsx";

/**
 * Inserts a payload field at the cursor of the field that has or last had the focus, if it takes
 * one. Otherwise `add` decides where it goes, and reports it.
 */
export function useInsertion(add: (path: string) => string) {
  const target = useRef<InsertTarget>(null);
  /** The name of the field with the cursor. Null: none takes a payload field. */
  const [targetName, setTargetName] = useState<string | null>(null);
  const [message, setMessage] = useState("");

  const onCursor = useCallback((next: InsertTarget | null) => {
    target.current = next;
    setTargetName(next?.name ?? null);
  }, []);

  /** For the form's other fields. Clicking a button (such as "Add row") keeps the cursor. */
  const onFormFocus = useCallback(
    ({ target: element }: FocusEvent) => {
      if (element.matches("input, textarea, select")) onCursor(null);
    },
    [onCursor],
  );

  const onInsert = useCallback((text: string) => setMessage(`Inserted ${text}`), []);

  function insert(path: string) {
    const text = target.current?.insert(path) ?? null;
    if (text !== null) return onInsert(text);
    onCursor(null);
    setMessage(add(path));
  }

  return { onFormFocus, onCursor, onInsert, insert, message, targetName };
}
