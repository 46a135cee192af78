"use client";

import { type FocusEvent, type FormEvent, useRef, useState } from "react";
import { type TextControl, writeText } from "#components/template/write-text.ts";
import { toInsertion } from "./draft/action-draft.ts";

/**
 * Writes a field of the payload where the cursor is, or was when the payload was clicked, in one of the fields that take
 * templates. With no cursor in one of them, `add` decides where it goes, and says so.
 */
export function useInsertion(add: (path: string) => string) {
  const last = useRef<TextControl>(null);
  const [message, setMessage] = useState("");

  function onFocus({ target }: FocusEvent) {
    // A button (one that adds a row, say) leaves the cursor where it was.
    if (isTemplateControl(target)) last.current = target;
    else if (target.matches("input, textarea, select")) last.current = null;
  }

  function insert(path: string) {
    const control = last.current;
    if (control === null || !control.isConnected) {
      setMessage(add(path));
      return;
    }
    const start = control.selectionStart ?? control.value.length;
    const text = toInsertion(path, placeOf(control), control.value.slice(0, start));
    writeText(control, start, control.selectionEnd ?? start, text);
    setMessage(`Inserted ${text}`);
  }

  /** What is dragged in comes as plain text; in JSON it may need quotes. The browser leaves it selected. */
  function onInput({ target, nativeEvent }: FormEvent) {
    const isDrop = nativeEvent instanceof InputEvent && nativeEvent.inputType === "insertFromDrop";
    if (!isDrop || !isTemplateControl(target)) return;
    const { selectionStart, selectionEnd, value } = target;
    if (selectionStart === null || selectionEnd === null) return;
    const path = /^\{\{ (.+) \}\}$/s.exec(value.slice(selectionStart, selectionEnd))?.[1];
    if (path === undefined) return;
    const text = toInsertion(path, placeOf(target), value.slice(0, selectionStart));
    writeText(target, selectionStart, selectionEnd, text);
    setMessage(`Inserted ${text}`);
  }

  return { onFocus, onInput, insert, message };
}

function placeOf(control: TextControl): "text" | "json" {
  return control.dataset.template === "json" ? "json" : "text";
}

function isTemplateControl(target: EventTarget): target is TextControl {
  const isControl = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isControl && target.dataset.template !== undefined;
}
