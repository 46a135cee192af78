/**
 * A delivery as a command for a shell that sends the same again, or null where a command line can't carry it: bytes
 * that are no text, controls, or more than is good to paste. Everything stands in single quotes, in which a POSIX
 * shell reads nothing; headers that belong to the connection, or whose value is hidden, are left out.
 */
export function toCurlCommand(delivery: {
  readonly url: string;
  readonly method: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Null: no text. */
  readonly body: string | null;
}): string | null {
  const { url, method, headers, body } = delivery;
  if (body === null || body.length > maxBodyChars || !isPlain(body) || !isPlain(url)) return null;
  const kept = headers.filter(
    ([name, value]) => !ofConnection.has(name.toLowerCase()) && isPlain(value),
  );
  const lines = [
    `curl --globoff -X ${quote(method)} ${quote(url)}`,
    // An empty value needs the semicolon: with a colon curl would leave the header out.
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

/** What a terminal pastes as it is. */
function isPlain(text: string): boolean {
  return text.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(text);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
