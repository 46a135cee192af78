/** The head of a response: the status line and the headers, with the empty line that ends them. */
export type ResponseHead = {
  /** The head as strict parsers want it. Null: as it was sent. */
  readonly repaired: Buffer | null;
  /** Where the body, or the next head, begins. */
  readonly end: number;
  /** The final response follows. */
  readonly isInterim: boolean;
};

/**
 * Reads the head of an HTTP/1.1 response and writes it as strict parsers want it. A receiver that
 * sends one of these has processed the request, and RFC 9112 allows to read it: lines that end with LF
 * alone (§2.2), whitespace before a colon (§5.1), folded lines (§5.2), and one length repeated
 * (§6.3). An interim 100, which undici takes for a failure, becomes 102. The parser judges the rest.
 * Null: the head has no end.
 */
export function repairHead(bytes: Buffer): ResponseHead | null {
  const scanned = scan(bytes);
  if (scanned === null) return null;
  const { end, isStrict } = scanned;
  const status = bytes.toString("latin1", 9, 12);
  const isInterim = status.startsWith("1") && status !== "101";
  if (isStrict && status !== "100") return { repaired: null, end, isInterim };
  const repaired = Buffer.from(rewrite(bytes.toString("latin1", 0, end)), "latin1");
  return { repaired, end, isInterim };
}

const lf = 10;
const cr = 13;
const colon = 58;

/** Looks at each line once, without making text of it: nearly all heads are strict. */
function scan(bytes: Buffer): { readonly end: number; readonly isStrict: boolean } | null {
  let isStrict = true;
  let lengths = 0;
  for (let start = 0; ; ) {
    const at = bytes.indexOf(lf, start);
    if (at === -1) return null;
    const end = at > start && bytes[at - 1] === cr ? at - 1 : at;
    if (end === at) isStrict = false;
    if (end === start) return { end: at + 1, isStrict };
    if (start > 0) {
      const colonAt = bytes.indexOf(colon, start);
      if (isBlank(bytes[start]) || isBlank(bytes[colonAt - 1])) isStrict = false;
      if (colonAt - start === lengthName.length && isLength(bytes, start)) {
        lengths += 1;
        if (lengths > 1 || bytes.subarray(colonAt, end).includes(",")) isStrict = false;
      }
    }
    start = at + 1;
  }
}

const lengthName = "content-length";

function isLength(bytes: Buffer, start: number): boolean {
  const name = bytes.toString("latin1", start, start + lengthName.length);
  return name.toLowerCase() === lengthName;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 32 || byte === 9;
}

function rewrite(head: string): string {
  const unfolded = head.replace(/(?:\r?\n[ \t]+)+/g, " ");
  const [status = "", ...lines] = unfolded.split(/\r?\n/);
  const headers = lines.map((line) => line.replace(/^([^\s:]+)[ \t]+:/, "$1:"));
  return [status.replace(/^(HTTP\/1\.[01]) 100/, "$1 102"), ...mergeLengths(headers)].join("\r\n");
}

/** Equal lengths become one. Different ones are left, and rejected. */
function mergeLengths(headers: readonly string[]): readonly string[] {
  const isLengthLine = (line: string) => /^content-length:/i.test(line);
  const values = headers.filter(isLengthLine).flatMap((line) =>
    line
      .slice(lengthName.length + 1)
      .split(",")
      .map((value) => value.trim()),
  );
  if (values.length < 2 || new Set(values).size > 1) return headers;
  const first = headers.findIndex(isLengthLine);
  return headers.flatMap((line, at) => {
    if (!isLengthLine(line)) return [line];
    return at === first ? [`content-length: ${values[0]}`] : [];
  });
}
