import { SaxesParser } from "saxes";

/**
 * An element as a value: attributes as `@name`, elements by name, text as `#text`. An element with
 * only text is that text.
 */
type XmlValue = string | { readonly [name: string]: XmlValue | readonly XmlValue[] };
type ReadXml =
  | { readonly ok: true; readonly value: XmlValue }
  | { readonly ok: false; readonly message: string };

const maxElements = 10_000;
const maxDepth = 64;

/**
 * Reads an XML document for display. The parser streams, so that neither size nor depth of
 * untrusted XML costs more than these limits. Declared entities aren't expanded. Never throws.
 */
export function readXml(text: string): ReadXml {
  const parser = new SaxesParser();
  const root = new Open("");
  const open: Open[] = [root];
  let elements = 0;
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ name, attributes }) => {
    elements += 1;
    if (elements > maxElements) throw new Error(`it has more than ${maxElements} elements`);
    if (open.length > maxDepth) throw new Error(`it is nested deeper than ${maxDepth} levels`);
    const element = new Open(name);
    for (const [key, value] of Object.entries(attributes)) element.add(`@${key}`, String(value));
    open.push(element);
  });
  parser.on("closetag", () => {
    const closed = open.pop();
    if (closed !== undefined) open.at(-1)?.add(closed.name, closed.toValue());
  });
  const addText = (part: string) => open.at(-1)?.addText(part);
  parser.on("text", addText);
  parser.on("cdata", addText);
  try {
    parser.write(text).close();
    return { ok: true, value: root.toValue() };
  } catch (error) {
    return { ok: false, message: error instanceof Error ? error.message : String(error) };
  }
}

class Open {
  readonly name: string;
  readonly #entries = new Map<string, XmlValue[]>();
  #text = "";

  constructor(name: string) {
    this.name = name;
  }

  add(name: string, value: XmlValue): void {
    const known = this.#entries.get(name);
    if (known === undefined) this.#entries.set(name, [value]);
    else known.push(value);
  }

  addText(text: string): void {
    this.#text += text;
  }

  toValue(): XmlValue {
    const text = this.#text.trim();
    if (this.#entries.size === 0) return text;
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
