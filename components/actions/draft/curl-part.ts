/** A part of a form, as `-F` of curl gives it. */
export type CurlPart = {
  readonly name: string;
  readonly value: string;
  /** Null: a field. */
  readonly fileName: string | null;
  readonly contentType: string | null;
  /** The path of a file on someone's computer. Null: the value is given. */
  readonly file: string | null;
};

/**
 * Reads `name=value`, `name=@photo.jpg;type=image/jpeg;filename=a.jpg`, or `name=<note.txt`. The parameters may
 * follow a value too, and a value in quotation marks may contain semicolons.
 *
 * @param isLiteral the value is as it is (`--form-string`)
 * @returns null: it has no name
 */
export function readCurlPart(text: string, isLiteral: boolean): CurlPart | null {
  const end = text.indexOf("=");
  if (end < 1) return null;
  const [name, given] = [text.slice(0, end), text.slice(end + 1)];
  const field = { name, fileName: null, contentType: null, file: null };
  if (isLiteral) return { ...field, value: given };
  const mark = /^[@<]/.exec(given)?.[0] ?? "";
  const { value, type, fileName } = readParameters(given.slice(mark.length));
  const part = { name, contentType: type, fileName };
  if (mark === "") return { ...part, value, file: null };
  const isUpload = mark === "@";
  return {
    ...part,
    value: "",
    file: value,
    fileName: fileName ?? (isUpload ? (value.split(/[/\\]/).at(-1) ?? value) : null),
  };
}

function readParameters(text: string) {
  const quoted = /^"((?:[^"\\]|\\.)*)"(?=\s*(?:;|$))/s.exec(text);
  const rest = quoted === null ? text : text.slice(quoted[0].length);
  const first = quoted === null ? findParameters(rest) : 0;
  const value = quoted === null ? rest.slice(0, first) : readEscapes(quoted[1] ?? "");
  const found = new Map<string, string>();
  for (const [, name = "", marked, plain = ""] of rest.slice(first).matchAll(parameter))
    found.set(name.toLowerCase(), marked === undefined ? plain : readEscapes(marked));
  return { value, type: found.get("type") ?? null, fileName: found.get("filename") ?? null };
}

const parameter = /;\s*(type|filename|encoder|headers)=(?:"((?:[^"\\]|\\.)*)"|([^";]*))/gi;

/** Where the parameters begin. A semicolon before other words is a part of the value. */
function findParameters(text: string): number {
  const found = text.search(/;\s*(?:type|filename|encoder|headers)=/i);
  return found === -1 ? text.length : found;
}

function readEscapes(text: string): string {
  return text.replace(/\\(.)/gs, "$1");
}
