import { SaxesParser } from "saxes";
import { shorten } from "#lib/base/shorten.ts";

/**
 * An element as a value: attributes as `@name`, elements by name, text beside them as `#text`. An element
 * with only text is that text, and one that occurs several times is a list.
 */
type XmlValue = string | null | { readonly [name: string]: XmlValue | readonly XmlValue[] };
type ReadXml =
  | { readonly ok: true; readonly value: XmlValue }
  /** A clause. */
  | { readonly ok: false; readonly message: string };

export const maxXmlDepth = 64;
const maxNodes = 50_000;
/** Parsing takes up to 200 ms per million, and its thread has 750 ms. */
export const maxXmlChars = 2 * 1024 * 1024;

/**
 * Reads an XML document. The parser streams, so that neither size nor depth of untrusted XML costs more than
 * these limits. A DOCTYPE is refused, and with it all entities but the five of XML: nothing is fetched or
 * expanded. Never throws.
 *
 * @param isCut the end of the document may be missing: what was read until there is its value
 */
export function readXml(text: string, { isCut = false } = {}): ReadXml {
  if (text.length > maxXmlChars)
    return {
      ok: false,
      message: `it has more than ${maxXmlChars.toLocaleString("en-US")} characters`,
    };
  const tree = new XmlTree();
  let nodes = 0;
  try {
    const parser = createXmlParser();
    parser.on("opentag", ({ name, attributes }) => {
      const entries = Object.entries(attributes);
      nodes += 1 + entries.length;
      if (nodes > maxNodes) throw new Error(tooManyNodes);
      tree.open(name, entries);
    });
    parser.on("closetag", () => tree.close());
    parser.on("text", (part) => tree.addText(part, false));
    parser.on("cdata", (part) => tree.addText(part, true));
    parser.write(text.trimStart());
    if (!isCut) parser.close();
    return { ok: true, value: tree.end() };
  } catch (error) {
    return { ok: false, message: describeError(error) };
  }
}

const tooManyNodes = `it has more than ${maxNodes.toLocaleString("en-US")} elements and attributes`;

/** A parser that throws at the first fault, and at what could stand for more than it is. */
export function createXmlParser(): SaxesParser {
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("doctype", () => {
    throw new Error("it has a DOCTYPE, which isn't read. Leave it out");
  });
  return parser;
}

/** The value of `xsi:nil`: an element without a value. */
const schemaInstance = "http://www.w3.org/2001/XMLSchema-instance";

/** Declarations of namespaces, which only say what a prefix stands for. */
export function isNamespace(attribute: string): boolean {
  return attribute === "xmlns" || attribute.startsWith("xmlns:");
}

class XmlTree {
  readonly #open: XmlElement[] = [new XmlElement("")];
  readonly #nilNames = new Set<string>();

  open(name: string, attributes: readonly (readonly [name: string, value: string])[]): void {
    if (this.#open.length > maxXmlDepth)
      throw new Error(`it is nested deeper than ${maxXmlDepth} levels`);
    for (const [key, value] of attributes)
      if (value === schemaInstance && isNamespace(key))
        this.#nilNames.add(`${key.slice("xmlns:".length)}:nil`);
    const element = new XmlElement(name);
    for (const [key, value] of attributes) {
      if (isNamespace(key)) continue;
      if (this.#nilNames.has(key)) element.isNil = /^\s*(?:true|1)\s*$/.test(value);
      else element.add(`@${key}`, value);
    }
    this.#open.push(element);
  }

  close(): void {
    const closed = this.#open.pop();
    if (closed !== undefined) this.#open.at(-1)?.add(closed.name, closed.toValue());
  }

  addText(text: string, isCdata: boolean): void {
    this.#open.at(-1)?.addText(text, isCdata);
  }

  /** Closes what is open. */
  end(): XmlValue {
    while (this.#open.length > 1) this.close();
    return this.#open[0]?.toValue() ?? null;
  }
}

class XmlElement {
  readonly name: string;
  isNil = false;
  readonly #entries = new Map<string, XmlValue[]>();
  #text = "";
  #hasCdata = false;

  constructor(name: string) {
    this.name = name;
  }

  add(name: string, value: XmlValue): void {
    const known = this.#entries.get(name);
    if (known === undefined) this.#entries.set(name, [value]);
    else known.push(value);
  }

  /** White space around text indents it, except that in CDATA. */
  addText(text: string, isCdata: boolean): void {
    if (isCdata && !this.#hasCdata) this.#text = this.#text.trim();
    if (isCdata || !this.#hasCdata || text.trim() !== "") this.#text += text;
    this.#hasCdata ||= isCdata;
  }

  toValue(): XmlValue {
    const text = this.#hasCdata ? this.#text : this.#text.trim();
    if (this.#entries.size === 0) return this.isNil && text === "" ? null : text;
    const entries = Array.from(
      this.#entries,
      ([name, values]): [string, XmlValue | readonly XmlValue[]] => [
        name,
        values.length === 1 && values[0] !== undefined ? values[0] : values,
      ],
    );
    return Object.fromEntries(text === "" ? entries : [...entries, ["#text", text]]);
  }
}

/** `3:14: unexpected close tag.` of the parser as a clause. */
function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const clause = message.replace(/^(\d+):(\d+): (.*)$/s, "line $1, column $2: $3");
  return shorten(clause.replace(/\.$/, ""), 200);
}
