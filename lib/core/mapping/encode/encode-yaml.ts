import { type Encoded, refuse, type TextPart } from "./text-part.ts";

/**
 * YAML 1.2, whose scalars can be those of JSON. A value by itself is a JSON scalar or, for a list or
 * an object, a flow collection. Inside quotes it is escaped. In the middle of a plain text it must
 * be made of characters that mean nothing, because that text has no escapes.
 */
export function encodeYaml(parts: readonly TextPart[]): Encoded {
  const state: State = { quote: null, block: null, ...newLine };
  let text = "";
  for (const [index, part] of parts.entries()) {
    if (part.kind === "literal") {
      readLiteral(state, part.text);
      text += part.text;
      continue;
    }
    const written = writeValue(state, part, parts[index + 1]);
    if (!written.ok) return written;
    text += written.text;
    addText(state, "0");
  }
  return { ok: true, text };
}

type State = {
  quote: '"' | "'" | null;
  /** The current line so far, its indent, and its last character that isn't white space. */
  line: string;
  indent: number;
  last: string;
  /** White space follows `last`. */
  isSpaced: boolean;
  /** The indent of the line that opened a block (`|` or `>`). Null: outside of blocks. */
  block: number | null;
};

type Value = Extract<TextPart, { kind: "value" }>;

function writeValue(state: State, value: Value, next: TextPart | undefined): Encoded {
  if (state.quote === '"') return { ok: true, text: JSON.stringify(value.text).slice(1, -1) };
  if (isInBlock(state))
    return refuse('a value can\'t stand in a block of YAML. Put it in double quotes: "{{ name }}"');
  if (state.quote === "'") {
    if (/[\r\n]/.test(value.text)) return refuse("a value has a line break: use double quotes");
    return { ok: true, text: value.text.replaceAll("'", "''") };
  }
  if (startsScalar(state) && endsScalar(next)) return { ok: true, text: value.json() };
  if (/^[\p{L}\p{N}_./@+ -]*$/u.test(value.text) && !/^[-@.\s]|\s$/.test(value.text))
    return { ok: true, text: value.text };
  return refuse(
    'a value within plain YAML has special characters. Put the text in double quotes: "… {{ name }}"',
  );
}

/** At the beginning of a value: after an indent, `- `, `name: `, or within `[` and `{`. */
function startsScalar({ last, isSpaced }: State): boolean {
  return last === "" || "[{,".includes(last) || (isSpaced && ":-?".includes(last));
}

function endsScalar(next: TextPart | undefined): boolean {
  if (next === undefined) return true;
  return next.kind === "literal" && /^(?:[ \t]*(?:\r?\n|$)|\s*[\]},]|\s+#)/.test(next.text);
}

function isInBlock({ block, last, indent }: State): boolean {
  return block !== null && (last === "" || indent > block);
}

function readLiteral(state: State, text: string): void {
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (character === "\n" && state.quote === null) {
      endLine(state);
      continue;
    }
    const isEscape = state.quote === '"' && character === "\\";
    if (state.quote === character) state.quote = null;
    else if (state.quote === null && !isInBlock(state)) openQuote(state, character);
    addText(state, isEscape ? text.slice(at, at + 2) : character);
    if (isEscape) at += 1;
  }
}

function openQuote(state: State, character: string): void {
  if ((character === '"' || character === "'") && startsScalar(state)) state.quote = character;
}

function addText(state: State, text: string): void {
  state.line += text;
  state.isSpaced = /\s$/.test(text);
  if (!state.isSpaced) state.last = text.at(-1) ?? state.last;
  else if (state.last === "") state.indent += 1;
}

function endLine(state: State): void {
  const { last, indent } = state;
  if (state.block !== null && last !== "" && indent <= state.block) state.block = null;
  if (state.block === null && opensBlock.test(state.line.trimEnd())) state.block = indent;
  Object.assign(state, newLine);
}

const opensBlock = /(?:^|[\s:-])[|>][+\-\d]{0,2}(?:\s+#.*)?$/;
const newLine = { line: "", indent: 0, last: "", isSpaced: false };
