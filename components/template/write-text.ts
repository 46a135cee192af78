export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Replaces a range in a field as if typed: it can be undone, and React is notified. */
export function writeText(control: TextControl, from: number, to: number, text: string): void {
  control.focus();
  control.setSelectionRange(from, to);
  // Deprecated without a successor: the only way that keeps the field's undo history.
  if (document.execCommand("insertText", false, text)) return;
  control.setRangeText(text, from, to, "end");
  control.dispatchEvent(new Event("input", { bubbles: true }));
}
