import { writePath } from "#lib/schema/field/value-path.ts";

/** The position where JSON is invalid. Line and column start at 1. */
type JsonFault = {
  readonly index: number;
  readonly line: number;
  readonly column: number;
  /** The change to make there, as a clause. */
  readonly message: string;
};

/** Called for each value in order, with its start. */
type VisitValue = (path: string, index: number) => void;

/**
 * The first position where a text is invalid JSON (RFC 8259), or null if it is valid. `JSON.parse`
 * reports it differently in each engine, and often without the position. One pass without
 * recursion: nesting may be as deep as the text is long. With `visit`, paths are reported as
 * `root.key[0]`; without it none are built.
 */
export function findJsonFault(text: string, visit?: VisitValue, root = ""): JsonFault | null {
  const scanner: Scanner = {
    text,
    at: text.charCodeAt(0) === 0xfeff ? 1 : 0,
    levels: [],
    visit,
    root,
  };
  const problem = scan(scanner);
  return problem === null
    ? null
    : { ...placeOf(text, problem.index), index: problem.index, message: problem.message };
}

/** The line and column of an index, starting at 1. */
export function placeOf(
  text: string,
  index: number,
): { readonly line: number; readonly column: number } {
  let line = 1;
  let lineStart = 0;
  for (let end = text.indexOf("\n"); end !== -1 && end < index; end = text.indexOf("\n", end + 1)) {
    line += 1;
    lineStart = end + 1;
  }
  return { line, column: index - lineStart + 1 };
}

type Level = { readonly isList: boolean; readonly path: string; index: number };
type Scanner = {
  readonly text: string;
  at: number;
  readonly levels: Level[];
  readonly visit: VisitValue | undefined;
  readonly root: string;
};
type Problem = { readonly index: number; readonly message: string };

/**
 * The tokens that may come next. `first`: just after an opening bracket, where the closing one is
 * also allowed.
 */
type State = "value" | "first" | "key" | "firstKey" | "behind";

function scan(scanner: Scanner): Problem | null {
  let state: State = "value";
  let path = scanner.root;
  for (;;) {
    skipSpace(scanner);
    const next = step(scanner, state, path);
    if ("message" in next) return next;
    if (next.state === "done") return null;
    ({ state, path } = next);
  }
}

type Next = { readonly state: State | "done"; readonly path: string };

function step(scanner: Scanner, state: State, path: string): Next | Problem {
  const { text, at, levels } = scanner;
  const character = text.charAt(at);
  const level = levels.at(-1);
  switch (state) {
    case "behind":
      if (level === undefined)
        return character === ""
          ? { state: "done", path }
          : fault(at, "there must be nothing after the JSON");
      return stepBehind(scanner, level, character);
    case "firstKey":
    case "key":
      if (state === "firstKey" && character === "}") return close(scanner);
      return readKey(scanner, character);
    case "first":
    case "value":
      if (state === "first" && character === "]") return close(scanner);
      scanner.visit?.(path, at);
      return readValue(scanner, character, path);
    default:
      return state satisfies never;
  }
}

function stepBehind(scanner: Scanner, level: Level, character: string): Next | Problem {
  const closing = level.isList ? "]" : "}";
  if (character === closing) return close(scanner);
  if (character !== ",") {
    if (character === "")
      return ends(scanner, `the ${closing} of this ${level.isList ? "list" : "object"} is missing`);
    return fault(scanner.at, `a comma or ${closing} is expected here`);
  }
  scanner.at += 1;
  skipSpace(scanner);
  if (scanner.text.charAt(scanner.at) === closing)
    return fault(scanner.at, `remove the comma before ${closing}`);
  if (!level.isList) return { state: "key", path: level.path };
  level.index += 1;
  return { state: "value", path: itemPath(scanner, level) };
}

function close(scanner: Scanner): Next {
  scanner.at += 1;
  scanner.levels.pop();
  return { state: "behind", path: "" };
}

function readKey(scanner: Scanner, character: string): Next | Problem {
  const level = scanner.levels.at(-1);
  if (character === "") return ends(scanner, "the } of this object is missing");
  if (character === "'") return fault(scanner.at, "names need double quotes, not single quotes");
  if (character !== '"') return fault(scanner.at, "a name in double quotes is expected here");
  const start = scanner.at;
  const problem = readString(scanner);
  if (problem !== null) return problem;
  const key =
    scanner.visit === undefined ? "" : String(JSON.parse(scanner.text.slice(start, scanner.at)));
  skipSpace(scanner);
  if (scanner.text.charAt(scanner.at) !== ":")
    return scanner.at >= scanner.text.length
      ? ends(scanner, "a colon and a value are missing")
      : fault(scanner.at, "a colon is expected after the name");
  scanner.at += 1;
  return { state: "value", path: keyPath(scanner, level, key) };
}

function readValue(scanner: Scanner, character: string, path: string): Next | Problem {
  const { text, at } = scanner;
  switch (character) {
    case "":
      return ends(scanner, text.trim() === "" ? "the JSON is empty" : "a value is missing");
    case '"': {
      const problem = readString(scanner);
      return problem ?? { state: "behind", path };
    }
    case "{":
      if (/[{%]/.test(text.charAt(at + 1))) return fault(at, "a template needs double quotes");
      scanner.levels.push({ isList: false, path, index: 0 });
      scanner.at += 1;
      return { state: "firstKey", path };
    case "[": {
      const level = { isList: true, path, index: 0 };
      scanner.levels.push(level);
      scanner.at += 1;
      return { state: "first", path: itemPath(scanner, level) };
    }
    case "'":
      return fault(at, "text needs double quotes, not single quotes");
    default:
      return readPlain(scanner, path);
  }
}

function keyPath({ visit }: Scanner, level: Level | undefined, key: string): string {
  if (visit === undefined) return "";
  const name = writePath([key]);
  return `${level?.path ?? ""}${name.startsWith("[") ? "" : "."}${name}`;
}

function itemPath({ visit }: Scanner, { path, index }: Level): string {
  return visit === undefined ? "" : `${path}[${index}]`;
}

/** A number, true, false, or null. */
function readPlain(scanner: Scanner, path: string): Next | Problem {
  const { text, at } = scanner;
  const plain = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;
  plain.lastIndex = at;
  const match = plain.exec(text);
  if (match !== null) {
    scanner.at += match[0].length;
    return { state: "behind", path };
  }
  if (/[-+\d.]/.test(text.charAt(at))) return fault(at, "this isn't a valid JSON number");
  if (/[,\]}]/.test(text.charAt(at))) return fault(at, "a value is missing here");
  return fault(at, "a value is expected here (text needs double quotes)");
}

/** Reads from an opening quote to the position after the closing one. */
function readString(scanner: Scanner): Problem | null {
  const { text } = scanner;
  const start = scanner.at;
  for (let at = start + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      scanner.at = at + 1;
      return null;
    }
    if (code < 0x20) {
      const name =
        code === 0x0a || code === 0x0d
          ? "a line break must be written as \\n"
          : "a control character must be escaped";
      return fault(at, `${name} inside text`);
    }
    if (code !== 0x5c) continue;
    const escaped = /["\\/bfnrt]|u[0-9a-fA-F]{4}/y;
    escaped.lastIndex = at + 1;
    const match = escaped.exec(text);
    if (match === null) {
      if (at + 1 >= text.length) break;
      return fault(at, "this isn't a valid JSON escape (write a backslash as \\\\)");
    }
    at += match[0].length;
  }
  return fault(start, "the closing double quote is missing");
}

const tab = 0x09;

function skipSpace(scanner: Scanner): void {
  const { text } = scanner;
  for (;;) {
    const code = text.charCodeAt(scanner.at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== tab) return;
    scanner.at += 1;
  }
}

function fault(index: number, message: string): Problem {
  return { index, message };
}

function ends({ text }: Scanner, message: string): Problem {
  return fault(text.length, `the text ends here, and ${message}`);
}

/** An error as one clause: `line 2, column 7: a comma or } is expected here`. */
export function describeJsonFault({ line, column, message }: JsonFault): string {
  return `line ${line}, column ${column}: ${message}`;
}
