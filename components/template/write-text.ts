export type TextControl = HTMLInputElement | HTMLTextAreaElement;

/** Puts text in place of a stretch of a field, as if it had been typed: it can be undone, and React hears of it. */
export function writeText(control: TextControl, from: number, to: number, text: string): void {
  control.focus();
  control.setSelectionRange(from, to);
  // Deprecated and without a successor: the only way in that keeps the field's history for Ctrl+Z.
  if (document.execCommand("insertText", false, text)) return;
  control.setRangeText(text, from, to, "end");
  control.dispatchEvent(new Event("input", { bubbles: true }));
}
