/**
 * The regular expressions of filters, in the syntax of RE2. Matching takes time linear in the text,
 * without backtracking, so that no pattern and no delivery can block a process.
 */
import { RE2JS, RE2JSSyntaxException, RE2Set } from "re2js";

export const maxPatternChars = 500;

/**
 * The maximum number of instructions of a compiled pattern. A match takes a few nanoseconds for
 * each instruction and character.
 */
const maxInstructions = 1_000;

type CheckedPattern =
  /** `instructions`: the cost of matching, per character of the text. */
  | { readonly ok: true; readonly instructions: number }
  | { readonly ok: false; readonly message: string };

/** Checks whether a filter can use the pattern. `message` says what to change. */
export function checkPattern(pattern: string): CheckedPattern {
  const known = checkedPatterns.get(pattern);
  if (known !== undefined) return known;
  const checked = check(pattern);
  remember(checkedPatterns, pattern, checked);
  return checked;
}

/** True if the text contains the pattern. The pattern must have passed `checkPattern`. */
export function hasPattern(text: string, pattern: string): boolean {
  let compiled = compiledPatterns.get(pattern);
  if (compiled === undefined) {
    compiled = compilePattern(pattern);
    remember(compiledPatterns, pattern, compiled);
  }
  return compiled.test(text);
}

type CompiledPattern = {
  readonly test: (text: string) => boolean;
  /** The pattern. */
  readonly toString: () => string;
};

/** The pattern must have passed `checkPattern`. */
export function compilePattern(pattern: string): CompiledPattern {
  const compiled = new RE2Set(RE2Set.UNANCHORED, 0, maxCacheBytes);
  compiled.add(pattern);
  return { test: (text) => compiled.match(text).length > 0, toString: () => pattern };
}

/**
 * Threads and previews parse a filter each time, so compiled patterns are kept by their text.
 */
const checkedPatterns = new Map<string, CheckedPattern>();
const compiledPatterns = new Map<string, CompiledPattern>();
const maxKept = 100;
/**
 * The memory limit of a pattern's automaton, which grows as it matches. The package's default is 8
 * MiB.
 */
const maxCacheBytes = 256 * 1024;

function remember<Value>(kept: Map<string, Value>, pattern: string, value: Value): void {
  kept.set(pattern, value);
  const [oldest] = kept.keys();
  if (kept.size > maxKept && oldest !== undefined) kept.delete(oldest);
}

function check(pattern: string): CheckedPattern {
  // Compiling what repetitions expand to takes half a second and 100 MB at worst.
  if (countExpanded(pattern) > 4 * maxInstructions) return tooLarge;
  try {
    const instructions = RE2JS.compile(pattern).programSize();
    return instructions > maxInstructions ? tooLarge : { ok: true, instructions };
  } catch (error) {
    if (error instanceof RE2JSSyntaxException) return { ok: false, message: explainSyntax(error) };
    throw error;
  }
}

const tooLarge = {
  ok: false,
  message:
    "is too large once its repetitions are written out: use smaller counts, such as {1,50}, or * and +",
} as const;

/** The number of characters of the pattern with each repetition written out. */
function countExpanded(pattern: string): number {
  const groups: { size: number; last: number }[] = [{ size: 0, last: 0 }];
  for (const [token, least, most] of pattern.matchAll(tokens)) {
    const group = groups.at(-1);
    if (group === undefined) return 0;
    if (token === "(") {
      groups.push({ size: 0, last: 0 });
    } else if (token === ")") {
      groups.pop();
      add(groups.at(-1), group.size);
    } else if (least !== undefined) {
      const times = Math.max(1, Number(least), Number(most ?? 0));
      group.size += group.last * (times - 1);
      group.last *= times;
    } else {
      add(group, 1);
    }
  }
  // An unclosed group is a syntax error, which the parser explains.
  return Math.max(...groups.map(({ size }) => size));
}

function add(group: { size: number; last: number } | undefined, size: number): void {
  if (group === undefined) return;
  group.last = size;
  group.size += size;
}

/** An escape, a character class, a counted repetition, or one character. */
const tokens = /\\(?:[xpP]\{[^}]*\}|.)|\[(?:\\.|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

function explainSyntax(error: RE2JSSyntaxException): string {
  const part = error.getPattern() ?? "";
  if (/^\(\?<?[=!]/.test(part))
    return "can't look ahead or behind (?=…): patterns are matched in linear time. Use another condition instead";
  if (/^\\[1-9]/.test(part))
    return "can't refer back to a group (\\1): patterns are matched in linear time. Use another condition instead";
  const at = part === "" ? "" : ` at ${part}`;
  return `isn't a valid regular expression: ${error.getDescription()}${at}`.replace(
    `${part} at ${part}`,
    part,
  );
}
