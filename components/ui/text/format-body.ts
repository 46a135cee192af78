/**
 * JSON or XML with one value per line. Null if it is neither, or already formatted. Only white
 * space between tokens changes: digits and escapes stay as received.
 */
export function formatBody(text: string): string | null {
  const start = text.trimStart().charAt(0);
  const formatted =
    start === "{" || start === "[" ? formatJson(text) : start === "<" ? formatXml(text) : null;
  return formatted === null || formatted === text.trim() ? null : formatted;
}

const jsonToken = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gu;

function formatJson(text: string): string | null {
  try {
    JSON.parse(text);
  } catch {
    return null;
  }
  const tokens = text.match(jsonToken) ?? [];
  let depth = 0;
  let out = "";
  for (const [index, token] of tokens.entries()) {
    const isEmpty = isClosing(tokens[index + 1] ?? "");
    if (token === "{" || token === "[") {
      depth += 1;
      out += isEmpty ? token : `${token}${line(depth)}`;
    } else if (isClosing(token)) {
      depth -= 1;
      const isPairEmpty =
        /[{[]/u.test(tokens[index - 1] ?? "") && (tokens[index - 1] ?? "").length === 1;
      out += isPairEmpty ? token : `${line(depth)}${token}`;
    } else if (token === ",") out += `,${line(depth)}`;
    else out += token === ":" ? ": " : token;
  }
  return out;
}

function isClosing(token: string): boolean {
  return token === "}" || token === "]";
}

/** Untrusted input can nest without limit; indentation can't. */
function line(depth: number): string {
  return `\n${"  ".repeat(Math.min(depth, 40))}`;
}

const xmlToken = /<!\[CDATA\[[\s\S]*?\]\]>|<!--[\s\S]*?-->|<[^>]*>|[^<]+/gu;

/** Elements that contain elements get their own line. Elements with text stay on one line. */
function formatXml(text: string): string | null {
  const tokens = (text.match(xmlToken) ?? []).filter((token) => token.trim() !== "");
  if (tokens.join("").length === 0) return null;
  let depth = 0;
  let out = "";
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1] ?? "";
    const isEnd = token.startsWith("</");
    if (isEnd) depth -= 1;
    const isInline =
      !token.startsWith("<") || token.startsWith("<![CDATA[") || (isEnd && !isEndOrLone(before));
    out += isInline || index === 0 ? token : `${line(Math.max(0, depth))}${token}`;
    if (!isEnd && /^<[^!?]/u.test(token) && !token.endsWith("/>")) depth += 1;
  }
  return out;
}

function isEndOrLone(token: string): boolean {
  return token.startsWith("</") || token.endsWith("/>") || token.startsWith("<!--");
}
