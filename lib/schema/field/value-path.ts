/**
 * The path of a value: `data.items[0].id`, `payload["data[email]"]`, `headers['x y']`. Filters, rules of hooks,
 * masked fields, columns, and searches read it here, and templates read the same.
 *
 * Names stand between dots. A name with a dot, a bracket, a quotation mark, or white space is put in quotes and
 * brackets, in which a backslash escapes the next character as in templates. `[0]` is an item of a list, and
 * `[-1]` the last one.
 */
export type PathStep = string | number;

type ParsedPath =
  | { readonly ok: true; readonly steps: readonly PathStep[] }
  /** The problem, and how to write it. */
  | { readonly ok: false; readonly message: string };

export type PathOptions = {
  /** Names without quotes may contain spaces. Default: false. */
  readonly hasSpaces?: boolean;
};

/** Reads a path that a user wrote. */
export function parsePath(text: string, { hasSpaces = false }: PathOptions = {}): ParsedPath {
  if (text === "") return { ok: false, message: "must not be empty" };
  const steps: PathStep[] = [];
  for (let at = 0; at < text.length; ) {
    const inBrackets = text[at] === "[";
    if (!inBrackets && at > 0) {
      if (text[at] !== ".") return { ok: false, message: describeRest(text, at) };
      at += 1;
    }
    const step = inBrackets ? readBrackets(text, at) : readName(text, at, hasSpaces);
    if ("message" in step) return { ok: false, message: step.message };
    steps.push(step.step);
    at = step.end;
  }
  return { ok: true, steps };
}

/**
 * The steps of a path that was checked when it was saved. One that an older version stored, and that isn't
 * a path any more, has its names between dots.
 */
export function readSteps(path: string): readonly PathStep[] {
  if (!/[[\]"']/.test(path)) return path.split(".");
  const parsed = parsePath(path);
  return parsed.ok ? parsed.steps : path.split(".");
}

/** Writes a path so that all readers, and templates, read the same steps. */
export function writePath(steps: readonly PathStep[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === "number") return `${path}[${step}]`;
    if (!plainName.test(step)) return `${path}[${quote(step)}]`;
    return path === "" ? step : `${path}.${step}`;
  }, "");
}

/** Splits a list of paths at commas, but not at those in quotes. */
export function splitPaths(text: string): readonly string[] {
  const paths: string[] = [];
  for (let rest = text; rest !== ""; ) {
    const end = findOutsideQuotes(rest, ",") ?? rest.length;
    paths.push(rest.slice(0, end).trim());
    rest = rest.slice(end + 1);
  }
  return paths.filter((path) => path !== "");
}

/** The first place of a character in a path that isn't in the quotes of a name. */
export function findOutsideQuotes(text: string, character: string): number | undefined {
  let mark = "";
  for (let at = 0; at < text.length; at += 1) {
    const found = text[at] ?? "";
    if (mark !== "" && found === "\\") at += 1;
    else if (mark !== "") mark = found === mark ? "" : mark;
    else if (found === character) return at;
    else if ((found === '"' || found === "'") && /\[\s*$/.test(text.slice(Math.max(0, at - 9), at)))
      mark = found;
  }
  return undefined;
}

/** A name that templates read without quotes. */
const plainName = /^[\p{L}_][\p{L}\p{N}_-]*$/u;

type ReadStep = { readonly step: PathStep; readonly end: number } | { readonly message: string };

function readName(text: string, at: number, hasSpaces: boolean): ReadStep {
  const pattern = hasSpaces ? /[^.[\]"'\p{Cc}]*/uy : /[^.[\]"'\s\p{Cc}]*/uy;
  pattern.lastIndex = at;
  const name = pattern.exec(text)?.[0] ?? "";
  const end = at + name.length;
  if (end < text.length && text[end] !== "." && text[end] !== "[")
    return { message: describeRest(text, end) };
  if (name !== "") return { step: name, end };
  if (text[end] === "[") return { message: "has a dot before a bracket: remove the dot" };
  return {
    message: "has an empty name. Put one dot between two names, as in data.object.email",
  };
}

const bracketed = /\[\s*(?:(-?\d{1,9})|"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\s*\]/suy;

function readBrackets(text: string, at: number): ReadStep {
  bracketed.lastIndex = at;
  const found = bracketed.exec(text);
  if (found === null) return { message: describeBrackets(text, at) };
  const [whole, index, double, single] = found;
  const end = at + whole.length;
  if (index !== undefined) return { step: Number(index), end };
  const name = readEscapes(double ?? single ?? "");
  return name === null
    ? { message: "has an escape that isn't known: write a backslash as \\\\" }
    : { step: name, end };
}

function describeBrackets(text: string, at: number): string {
  const inside = /^\[([^[\]"']*)\]/u.exec(text.slice(at))?.[1];
  if (inside === undefined)
    return `has an open bracket or quotation mark. Write a name in both: ["x y"], or ['x y']`;
  const before = text.slice(0, at);
  const parent = before.slice(0, before.lastIndexOf(".") + 1).replace(/\.$/, "");
  const rest = /^(?:\[[^[\]"']*\])+/u.exec(text.slice(at))?.[0] ?? "";
  const whole = `${parent}["${before.slice(before.lastIndexOf(".") + 1)}${rest}"]`;
  const asName = `the name is ${JSON.stringify(whole.slice(parent.length + 2, -2))}, write ${whole}`;
  if (inside.trim() === "") return `has brackets without an index: if ${asName}`;
  return `has [${inside}], which is no index: if ${asName}; for a field inside, write ["${inside.trim()}"]`;
}

function describeRest(text: string, at: number): string {
  const character = text[at] ?? "";
  if (text[at - 1] === "]") return "needs a dot or a bracket after ]";
  const what = /\s/u.test(character)
    ? "white space"
    : /\p{Cc}/u.test(character)
      ? "a control character"
      : character;
  return `has ${what} in a name without quotes: write the name in quotes and brackets, as in data["x y"]`;
}

const escapes: Readonly<Record<string, string>> = {
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

/** Null: an escape that templates read in another way, or not at all. */
function readEscapes(text: string): string | null {
  if (!text.includes("\\")) return text;
  let isKnown = true;
  const name = text.replace(/\\(?:u([\da-fA-F]{4})|(.))/gsu, (_all, code, character: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(String(code), 16));
    if (/[u0-7]/.test(character)) isKnown = false;
    return escapes[character] ?? character;
  });
  return isKnown ? name : null;
}

/** Braces and percent signs could end the template that contains the path, and control characters a line. */
function quote(name: string): string {
  const mark = name.includes('"') && !name.includes("'") ? "'" : '"';
  const text = name.replace(/["'\\{}%\p{Cc}\p{Cs}\u2028\u2029]/gu, (character) => {
    if (character === '"' || character === "'")
      return character === mark ? `\\${character}` : character;
    if (character === "\\") return "\\\\";
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
  return `${mark}${text}${mark}`;
}
