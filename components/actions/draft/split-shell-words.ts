type ShellWords =
  | { readonly ok: true; readonly words: readonly string[] }
  | { readonly ok: false; readonly message: string };

const escapes: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  "'": "'",
  '"': '"',
  "\\": "\\",
};

/**
 * The words of one command as a POSIX shell splits it (single and double quotes, backslashes, line
 * continuations), plus bash's `$'…'`. Nothing is expanded: a `$NAME` stays as written. A second
 * command is rejected.
 */
export function splitShellWords(command: string): ShellWords {
  const words: string[] = [];
  let word: string | null = null;
  let at = 0;
  const take = (text: string): void => {
    word = (word ?? "") + text;
  };
  while (at < command.length) {
    const character = command.charAt(at);
    const quoted = readQuoted(command, at);
    if (quoted === "open") return { ok: false, message: "A quote isn't closed." };
    if (quoted !== null) {
      take(quoted.text);
      at = quoted.end;
    } else if (character === "\\") {
      const next = /^\r?\n/.exec(command.slice(at + 1, at + 3))?.[0];
      if (next === undefined) take(command.charAt(at + 1));
      at += 1 + (next?.length ?? 1);
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
      at += 1;
    } else if (/[;|&<>]/.test(character)) {
      return {
        ok: false,
        message: `Found ${character} outside of quotes. Paste a single command with its URL in quotes.`,
      };
    } else {
      take(character);
      at += 1;
    }
  }
  if (word !== null) words.push(word);
  return { ok: true, words };
}

/** Reads a quoted part that starts here; null if there is none. */
function readQuoted(command: string, at: number): { text: string; end: number } | "open" | null {
  if (command.startsWith("$'", at)) return readAnsi(command, at + 2);
  if (command.charAt(at) === "'") {
    const end = command.indexOf("'", at + 1);
    return end === -1 ? "open" : { text: command.slice(at + 1, end), end: end + 1 };
  }
  return command.charAt(at) === '"' ? readDouble(command, at + 1) : null;
}

function readDouble(command: string, start: number): { text: string; end: number } | "open" {
  let text = "";
  for (let at = start; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (character === '"') return { text, end: at + 1 };
    const next = command.charAt(at + 1);
    if (character !== "\\" || !/["\\$`\n]/.test(next)) text += character;
    else {
      text += next === "\n" ? "" : next;
      at += 1;
    }
  }
  return "open";
}

function readAnsi(command: string, start: number): { text: string; end: number } | "open" {
  let text = "";
  for (let at = start; at < command.length; at += 1) {
    const character = command.charAt(at);
    if (character === "'") return { text, end: at + 1 };
    if (character !== "\\") {
      text += character;
      continue;
    }
    const code = /^(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2}))/.exec(command.slice(at + 1, at + 6));
    const next = command.charAt(at + 1);
    text +=
      code === null
        ? (escapes[next] ?? `\\${next}`)
        : String.fromCharCode(Number.parseInt(code[1] ?? code[2] ?? "", 16));
    at += code === null ? 1 : code[0].length;
  }
  return "open";
}
