/** The text that a picked payload field inserts at the cursor. */
type Insertion = {
  readonly text: string;
  /** The number of characters before the cursor that it replaces: a name that was started. */
  readonly replaces: number;
};

/**
 * A picked payload field as a template, or as a name if the cursor is in a template. In JSON it gets
 * quotes if they are missing.
 */
export function toInsertion(
  path: string,
  place: "text" | "json",
  { before, after }: { readonly before: string; readonly after: string },
): Insertion {
  const open = openTag.exec(before);
  if (open !== null) return insertName(path, place, { open, after });
  const template = `{{ ${path} }}`;
  if (place === "text") return { text: template, replaces: 0 };
  const quoted = JSON.stringify(template);
  return { text: isInsideText(before) ? quoted.slice(1, -1) : quoted, replaces: 0 };
}

/** True if the cursor after this text is in a template: `{{ … }}` or `{% … %}`. */
export function isInTemplate(before: string): boolean {
  return openTag.test(before);
}

const openTag = /\{([{%])((?:(?![%}]\}).)*)$/su;
const startedName = /[\p{L}_][\p{L}\p{N}_.$-]*$/u;

function insertName(
  path: string,
  place: "text" | "json",
  { open, after }: { readonly open: RegExpExecArray; readonly after: string },
): Insertion {
  const [, sign, inside = ""] = open;
  const replaces = startedName.exec(inside)?.[0].length ?? 0;
  const name = place === "json" ? JSON.stringify(path).slice(1, -1) : path;
  const space = inside.length === replaces ? " " : "";
  const isClosed = /^[^{]*?[%}]\}/su.test(after);
  const closing = isClosed || sign === "%" ? "" : " }}";
  return { text: `${space}${name}${closing}`, replaces };
}

function isInsideText(json: string): boolean {
  return (json.replace(/\\./gs, "").split('"').length - 1) % 2 === 1;
}
