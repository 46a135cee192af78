"use client";

import { type FocusEvent, useCallback, useRef, useState } from "react";
import type { InsertTarget } from "#components/template/template-context.tsx";

type InsertionProps = {
  /** The fields that are shown. A cursor in fields of another place is gone. */
  readonly place: string;
  /** Adds a payload field without a cursor, and reports where. */
  readonly add: (path: string) => string;
  /** Where `add` puts it. Null: nowhere. */
  readonly addPlace: string | null;
};

/**
 * Inserts a payload field at the cursor of the field that has or last had the focus, if it takes
 * one. Otherwise `add` decides where it goes.
 */
export function useInsertion({ place, add, addPlace }: InsertionProps) {
  const cursor = useRef<{ readonly place: string; readonly target: InsertTarget }>(null);
  /** The field with the cursor. Null: none takes a payload field. */
  const [named, setNamed] = useState<{ readonly place: string; readonly name: string } | null>(
    null,
  );
  const [message, setMessage] = useState("");

  const onCursor = useCallback(
    (target: InsertTarget | null) => {
      cursor.current = target === null ? null : { place, target };
      setNamed((before) => {
        if (target === null) return null;
        const isSame = before?.place === place && before.name === target.name;
        return isSame ? before : { place, name: target.name };
      });
    },
    [place],
  );

  /** For the form's other fields. Clicking a button (such as "Add row") keeps the cursor. */
  const onFormFocus = useCallback(
    ({ target: element }: FocusEvent) => {
      if (element.matches("input, textarea, select")) onCursor(null);
    },
    [onCursor],
  );

  const onInsert = useCallback((text: string) => setMessage(`Inserted ${text}`), []);

  function insert(path: string) {
    const target = cursor.current?.place === place ? cursor.current.target : null;
    const text = target?.insert(path) ?? null;
    if (text !== null) return onInsert(text);
    onCursor(null);
    setMessage(add(path));
  }

  /** The place into which a click inserts. Null: none, until a field has the cursor. */
  const into = named?.place === place ? named.name : addPlace;
  return { onFormFocus, onCursor, onInsert, insert, message, into };
}
