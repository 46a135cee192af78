/**
 * A shell command that sends the delivery again, or null if a command line can't hold it: bytes
 * that aren't text, control characters, or too long to paste. Everything is in single quotes, in
 * which a POSIX shell expands nothing. Headers of the connection, and those whose value is hidden,
 * are left out.
 */
export function toCurlCommand(delivery: {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null: the body isn't text. */
  readonly body: string | null;
}): string | null {
  const { url, method, headers, body } = delivery;
  if (body === null || body.length > maxBodyChars || !isPlain(body) || !isPlain(url)) return null;
  const kept = headers.filter(
    ([name, value]) => !ofConnection.has(name.toLowerCase()) && isPlain(value),
  );
  const lines = [
    `curl --globoff -X ${quote(method)} ${quote(url)}`,
    // An empty value needs the semicolon: with a colon curl would drop the header.
    ...kept.map(([name, value]) => `-H ${quote(value === "" ? `${name};` : `${name}: ${value}`)}`),
    // Not `--data`: it would read a file if the body starts with @.
    ...(body === "" ? [] : [`--data-raw ${quote(body)}`]),
  ];
  return lines.join(" \\\n  ");
}

const maxBodyChars = 16_384;

const ofConnection: ReadonlySet<string> = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "te",
  "transfer-encoding",
  "upgrade",
]);

/** True if the text is short enough to paste into a terminal. */
function isPlain(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
