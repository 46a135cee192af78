/** Ends a text that another sentence follows. */
export function endSentence(text: string): string {
  return /[.!?…]$/u.test(text) ? text : `${text}.`;
}
