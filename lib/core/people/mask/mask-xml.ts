import type { SaxesParser } from "saxes";
import {
  createXmlParser,
  isNamespace,
  maxXmlChars,
  maxXmlDepth,
} from "#lib/core/mapping/payload/read-xml.ts";
import { maskText } from "#lib/schema/receive/mask-text.ts";
import { enterItem, enterName, enterNames, isMasked, type MaskState } from "./mask-state.ts";

/** Masks what a text contains, by its state. */
type MaskValue = (text: string, state: MaskState) => string;

/**
 * Masks the elements and attributes of an XML document by the names that the payload gives them (`readXml`). What
 * stays is as it was sent. Comments are masked, because they may contain anything.
 *
 * @returns null: it isn't XML, or a masked text can't be told apart, so nothing of it may be shown
 */
export function maskXml(document: string, state: MaskState, maskValue: MaskValue): string | null {
  const text = document.trimStart();
  if (!text.startsWith("<") || text.length > maxXmlChars) return null;
  try {
    return (
      document.slice(0, document.length - text.length) + new Masking(text, state, maskValue).run()
    );
  } catch {
    return null;
  }
}

type Attributes = Readonly<Record<string, string>>;

type Element = {
  readonly state: MaskState;
  /** Where its content begins. */
  readonly start: number;
  /** The output until there. */
  readonly written: { readonly parts: number; readonly copied: number };
  /** The elements in it, by name. */
  readonly counts: Map<string, number>;
  text: string;
};

/** The elements that are items of lists, because their parent has several of the name, by their number. */
function findItems(text: string): ReadonlySet<number> {
  const items = new Set<number>();
  const open: Map<string, number>[] = [new Map()];
  let count = 0;
  const parser = createXmlParser();
  parser.on("opentag", ({ name }) => {
    const known = open.at(-1)?.get(name);
    if (known !== undefined) items.add(known).add(count);
    open.at(-1)?.set(name, count);
    open.push(new Map());
    count += 1;
  });
  parser.on("closetag", () => open.pop());
  parser.write(text).close();
  return items;
}

class Masking {
  readonly #text: string;
  readonly #maskValue: MaskValue;
  readonly #parser: SaxesParser = createXmlParser();
  readonly #open: Element[];
  readonly #parts: string[] = [];
  readonly #items: ReadonlySet<number>;
  #elements = 0;
  /** The end of the text that has been written. */
  #copied = 0;

  constructor(text: string, state: MaskState, maskValue: MaskValue) {
    this.#text = text;
    this.#items = findItems(text);
    this.#maskValue = maskValue;
    this.#open = [this.#toElement(state)];
  }

  run(): string {
    const parser = this.#parser;
    const addText = (part: string) => {
      const element = this.#open.at(-1);
      if (element !== undefined) element.text += part;
    };
    parser.on("text", addText);
    parser.on("cdata", addText);
    parser.on("opentag", ({ name, attributes, isSelfClosing }) =>
      this.#openTag(name, attributes, isSelfClosing),
    );
    parser.on("closetag", ({ isSelfClosing }) => this.#closeTag(isSelfClosing));
    // It is told before its last character.
    parser.on("comment", () => this.#replace(this.#findLast("<!--"), `<!--${maskText}--`));
    parser.on("processinginstruction", () => {
      throw new Error("it may contain anything");
    });
    parser.write(this.#text).close();
    return this.#parts.join("") + this.#text.slice(this.#copied);
  }

  #openTag(name: string, attributes: Attributes, isSelfClosing: boolean): void {
    const parent = this.#open.at(-1);
    if (parent === undefined || this.#open.length > maxXmlDepth) throw new Error("too deep");
    const index = parent.counts.get(name) ?? 0;
    parent.counts.set(name, index + 1);
    const named = enterNames(parent.state, name);
    const state = this.#items.has(this.#elements) ? enterItem(named, index) : named;
    this.#elements += 1;
    const start = this.#findLast("<");
    const tag = this.#text.slice(start, this.#parser.position);
    const read = this.#maskAttributes(tag, attributes, state);
    const isHidden = isSelfClosing && isMasked(state);
    const shown = isHidden ? read.replace(/\s*\/>$/, `>${maskText}</${name}>`) : read;
    if (shown !== tag) this.#replace(start, shown);
    this.#open.push(this.#toElement(state));
  }

  #maskAttributes(tag: string, attributes: Attributes, state: MaskState): string {
    return tag.replace(
      /([^\s=/>"'<]+)(\s*=\s*)(?:"[^"]*"|'[^']*')/g,
      (attribute, name: string, equals: string) => {
        const value = attributes[name] ?? "";
        if (isNamespace(name)) return attribute;
        const shown = this.#maskIn(value, enterNames(state, `@${name}`), state);
        return shown === value ? attribute : `${name}${equals}"${escapeXml(shown)}"`;
      },
    );
  }

  #closeTag(isSelfClosing: boolean): void {
    const closed = this.#open.pop();
    if (closed === undefined || isSelfClosing) return;
    const isHidden = isMasked(closed.state);
    const value = closed.text.trim();
    if (value === "" && !isHidden) return;
    const shown = this.#maskIn(value, enterName(closed.state, "#text"), closed.state);
    if (shown === value && !isHidden) return;
    if (closed.counts.size > 0 && !isHidden) throw new Error("its text stands between elements");
    // What was written of its content leaves again.
    this.#parts.length = closed.written.parts;
    this.#parts.push(this.#text.slice(closed.written.copied, closed.start), escapeXml(shown));
    this.#copied = this.#findLast("</");
  }

  /** @param state of the value, and `parent` of what it stands in */
  #maskIn(value: string, state: MaskState, parent: MaskState): string {
    return isMasked(state) || isMasked(parent) ? maskText : this.#maskValue(value, state);
  }

  #replace(start: number, shown: string): void {
    this.#parts.push(this.#text.slice(this.#copied, start), shown);
    this.#copied = this.#parser.position;
  }

  /** Neither a tag nor a comment contains what it begins with. */
  #findLast(opening: string): number {
    return this.#text.lastIndexOf(opening, this.#parser.position - opening.length);
  }

  #toElement(state: MaskState): Element {
    const written = { parts: this.#parts.length, copied: this.#copied };
    return { state, start: this.#parser.position, written, counts: new Map(), text: "" };
  }
}

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
