import { type CurlPart, readCurlPart } from "./curl-part.ts";
import { splitShellWords } from "./split-shell-words.ts";

/** Parses a curl command, option by option. */
export type CurlOptions = {
  readonly urls: string[];
  method: string | null;
  readonly headers: [name: string, value: string][];
  readonly data: string[];
  readonly parts: CurlPart[];
  isJson: boolean;
  isGet: boolean;
  user: string | null;
  readonly notes: string[];
};

/** Long names of the supported options with a value, by short name. */
const shortNames: Readonly<Record<string, string>> = {
  X: "request",
  H: "header",
  d: "data",
  u: "user",
  A: "user-agent",
  e: "referer",
  b: "cookie",
  G: "get",
  I: "head",
  F: "form",
  T: "upload-file",
  o: "output",
  m: "max-time",
  x: "proxy",
  E: "cert",
  w: "write-out",
  c: "cookie-jar",
  K: "config",
};

const ignoredWithValue: ReadonlySet<string> = new Set([
  "output",
  "max-time",
  "connect-timeout",
  "proxy",
  "cert",
  "key",
  "cacert",
  "write-out",
  "cookie-jar",
  "retry",
  "retry-delay",
  "resolve",
  "limit-rate",
  "ciphers",
  "max-redirs",
]);
const rejectedOptions: Readonly<Record<string, string>> = {
  "upload-file": "Files (-T) can't be sent by an action.",
  config: "A config file (-K) can't be read.",
};

type ReadCurl =
  | { readonly ok: true; readonly options: CurlOptions }
  | { readonly ok: false; readonly message: string };

/** The limits of the action's fields. */
const maxChars = 300_000;
const maxWords = 500;

/** Parses a command as a shell and curl would, without running anything or reading files. */
export function readCurlOptions(command: string): ReadCurl {
  if (command.length > maxChars)
    return reject(`The command is longer than ${maxChars.toLocaleString("en")} characters.`);
  const split = splitShellWords(command.trim().replace(/^\$\s+/, ""));
  if (!split.ok) return split;
  const [program, ...args] = split.words;
  if (program === undefined || !/(?:^|[/\\])curl(?:\.exe)?$/.test(program))
    return reject("The command must start with curl.");
  if (args.length > maxWords) return reject("The command has too many parts.");
  const options: CurlOptions = {
    urls: [],
    method: null,
    headers: [],
    data: [],
    parts: [],
    isJson: false,
    isGet: false,
    user: null,
    notes: [],
  };
  const problem = readArguments(args, options);
  return problem === null ? { ok: true, options } : reject(problem);
}

function reject(message: string): ReadCurl {
  return { ok: false, message };
}

/** The reason why the command can't be read, or null. */
function readArguments(args: readonly string[], read: CurlOptions): string | null {
  const waiting = [...args];
  for (let word = waiting.shift(); word !== undefined; word = waiting.shift()) {
    if (word === "--" || word === "") continue;
    if (!word.startsWith("-") || word === "-") {
      read.urls.push(word);
      continue;
    }
    const options = word.startsWith("--") ? [readLong(word)] : readShort(word);
    for (const { name, value } of options) {
      const isValued = takesValue(name);
      const given = value ?? (isValued ? waiting.shift() : undefined);
      if (isValued && given === undefined) return `The option ${word} has no value.`;
      const problem = applyOption(name, given ?? "", read);
      if (problem !== null) return problem;
    }
  }
  return null;
}

function readLong(word: string): { name: string; value: string | undefined } {
  const [name = "", ...rest] = word.slice(2).split("=");
  return { name, value: rest.length === 0 ? undefined : rest.join("=") };
}

/** Splits `-sSXPOST` into `-s -S -X POST`. */
function readShort(word: string): { name: string; value: string | undefined }[] {
  const options: { name: string; value: string | undefined }[] = [];
  for (let at = 1; at < word.length; at += 1) {
    const name = shortNames[word.charAt(at)] ?? word.charAt(at);
    const rest = word.slice(at + 1);
    if (takesValue(name)) return [...options, { name, value: rest === "" ? undefined : rest }];
    options.push({ name, value: undefined });
  }
  return options;
}

function takesValue(name: string): boolean {
  return (
    name.startsWith("data") ||
    valued.has(name) ||
    ignoredWithValue.has(name) ||
    name in rejectedOptions
  );
}

const valued: ReadonlySet<string> = new Set([
  "request",
  "header",
  "user",
  "user-agent",
  "referer",
  "cookie",
  "json",
  "url",
  "form",
  "form-string",
]);

function applyOption(name: string, value: string, read: CurlOptions): string | null {
  const rejected = rejectedOptions[name];
  if (rejected !== undefined) return rejected;
  switch (name) {
    case "request":
      read.method = value.toUpperCase();
      return null;
    case "url":
      read.urls.push(value);
      return null;
    case "header":
      return addHeader(value, read);
    case "form":
    case "form-string":
      return addPart(value, name === "form-string", read);
    case "cookie":
      read.headers.push(["Cookie", value]);
      return null;
    case "referer":
      read.headers.push(["Referer", value]);
      return null;
    case "user":
      read.user = value;
      return null;
    case "get":
      read.isGet = true;
      return null;
    case "head":
      read.method = "HEAD";
      return null;
    case "user-agent":
      read.notes.push("User-Agent is set by Catchment and was left out.");
      return null;
    case "insecure":
    case "k":
      read.notes.push("-k was left out: certificates are always checked.");
      return null;
    case "location":
    case "L":
      read.notes.push("-L was left out: redirects are never followed.");
      return null;
    default:
      return name === "json" || name.startsWith("data") ? addData(name, value, read) : null;
  }
}

function addHeader(line: string, { headers }: CurlOptions): string | null {
  if (line.startsWith("@"))
    return "Headers from a file can't be read. Write them out in the command.";
  const at = line.search(/[:;]/);
  if (at < 1) return `"${line.slice(0, 60)}" is not a header.`;
  headers.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  return null;
}

function addPart(text: string, isLiteral: boolean, { parts, notes }: CurlOptions): string | null {
  const part = readCurlPart(text, isLiteral);
  if (part === null) return `"${text.slice(0, 60)}" is not a part of a form: it has no =.`;
  if (part.file !== null)
    notes.push(`${part.file} is on your computer: choose where the file comes from.`);
  parts.push(part);
  return null;
}

function addData(name: string, value: string, read: CurlOptions): string | null {
  if (value.startsWith("@") && name !== "data-raw")
    return "A body from a file (@…) can't be read. Put the text in the command.";
  if (name === "json") read.isJson = true;
  if (name !== "data-urlencode") {
    // Like in curl, only the raw and binary options keep line breaks.
    read.data.push(name === "data" || name === "data-ascii" ? value.replace(/[\r\n]/g, "") : value);
    return null;
  }
  const at = value.indexOf("=");
  const key = at === -1 ? "" : value.slice(0, at + 1);
  read.data.push(
    key === "="
      ? encodeURIComponent(value.slice(1))
      : `${key}${encodeURIComponent(value.slice(at + 1))}`,
  );
  return null;
}
