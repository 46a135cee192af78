"use client";

import { type FocusEvent, type FormEvent, useRef, useState } from "react";
import { type TextControl, writeText } from "#components/template/write-text.ts";
import { toInsertion } from "./draft/action-draft.ts";

/**
 * Inserts a payload field at the cursor of the template field that has or last had the focus.
 * Without one, `add` decides where it goes, and reports it.
 */
export function useInsertion(add: (path: string) => string) {
  const last = useRef<TextControl>(null);
  const [message, setMessage] = useState("");

  function onFocus({ target }: FocusEvent) {
    // Clicking a button (such as "Add row") keeps the cursor position.
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

  /**
   * Dropped content is plain text, and JSON may need quotes around it. The browser leaves it
   * selected.
   */
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
