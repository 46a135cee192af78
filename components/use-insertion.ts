"use client";

import { type FocusEvent, useRef, useState } from "react";
import { toInsertion } from "./action-draft.ts";

type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Writes a field of the payload where the cursor was last, in one of the fields that take templates. */
export function useInsertion() {
  const last = useRef<TextControl>(null);
  const [message, setMessage] = useState("");

  function onFocus({ target }: FocusEvent) {
    if (isTemplateControl(target)) last.current = target;
  }

  function insert(path: string) {
    const control = last.current;
    if (control === null || !control.isConnected) {
      setMessage("Put the cursor into a field of the request first, then choose what goes there.");
      return;
    }
    const start = control.selectionStart ?? control.value.length;
    const place = control.dataset.template === "json" ? "json" : "text";
    const text = toInsertion(path, place, control.value.slice(0, start));
    control.focus();
    control.setRangeText(text, start, control.selectionEnd ?? start, "end");
    // React listens for this one and takes the value over.
    control.dispatchEvent(new Event("input", { bubbles: true }));
    setMessage(`Inserted ${text}`);
  }

  return { onFocus, insert, message };
}

function isTemplateControl(target: EventTarget): target is TextControl {
  const isControl = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  return isControl && target.dataset.template !== undefined;
}
