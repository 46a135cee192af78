/**
 * The amount of untrusted text that a page may hold. A page carries every text twice, as HTML and
 * as data for React, both escaped. A character costs its worst case, so that no body makes a page
 * larger than its budget.
 */
export class TextBudget {
  #left: number;

  constructor(bytes: number) {
    this.#left = bytes;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  /** Spends bytes on the markup around a text. False once there is no room. */
  spend(bytes: number): boolean {
    this.#left -= bytes;
    return this.#left >= 0;
  }

  /** The part of the text that fits. It never ends in half of a surrogate pair. */
  take(text: string, maxChars = Number.POSITIVE_INFINITY): CutText {
    const most = Math.min(text.length, maxChars);
    let end = 0;
    while (end < most && this.#left > 0) {
      this.#left -= costOf(text.charCodeAt(end));
      end += 1;
    }
    const isCut = end < text.length;
    if (isCut && isHighSurrogate(text.charCodeAt(end - 1))) end -= 1;
    return { text: isCut ? text.slice(0, end) : text, isCut };
  }
}

export type CutText = { readonly text: string; readonly isCut: boolean };

/**
 * The size of both copies in bytes: `<` is `&lt;` and `\u003c`, control characters are written as
 * numbers, and text beyond ASCII is UTF-8.
 */
function costOf(code: number): number {
  if (code < 0x20 || code === 0x7f) return 16;
  if (code > 0x7f) return 16;
  return needsEscape.has(code) ? 12 : 2;
}

const needsEscape: ReadonlySet<number> = new Set([..."<>&\"'\\"].map((char) => char.charCodeAt(0)));

function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
