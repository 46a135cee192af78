/**
 * The signature of Hook0, which Coinbase uses too. It covers the headers that it names in `h`, so
 * that the event's id is signed.
 */
import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail, type VerifyFailure } from "#lib/core/verify/scheme/failure.ts";
import {
  parseJsonObject,
  readHeader,
  type VerifyRequest,
} from "#lib/core/verify/scheme/request-view.ts";
import { type Extracted, extractSignatures } from "#lib/core/verify/scheme/signatures.ts";
import { checkAge, parseTimestamp } from "#lib/core/verify/scheme/timestamp.ts";

export const hook0Id = "x-event-id";
export const hook0Type = "x-event-type";

const header = "x-hook0-signature";
const subject = `the header ${header}`;
const window = { pastSeconds: 300, futureSeconds: 300 } as const;
const format = { type: "pairs", itemSeparator: ",", keySeparator: "=", key: "v1" } as const;

const headerName = /^[a-z0-9_-]{1,100}$/;
const maxHeaders = 64;

/**
 * `v0` covers no headers, so a captured delivery could be sent again with another id. Hook0's own
 * packages ignore it too if there is a `v1`, which Hook0 sends by default, and Coinbase always.
 *
 * @param identifying headers that the provider's rules read: they must be signed if they are there
 */
export function hook0Scheme(identifying: readonly string[]): CodeScheme {
  return {
    kind: "code",
    proof:
      "HMAC-SHA256, hex, of `{t}.{h}.{values of the headers that h names}.{body}`, " +
      `as v1 in the header ${header}`,
    window,
    takesSecret: true,
    proofHeaders: [header],
    findSecretProblem: () => null,
    prepare: withOneHeader(header, (value, { keys, request, nowMs, toleranceSeconds }) => {
      const read = readSignature(value);
      if ("reason" in read) return read;
      const { signature, time, sentMs, names } = read;
      const unsigned = identifying.find(
        (name) => request.headers[name] !== undefined && !names.includes(name),
      );
      if (unsigned !== undefined)
        return fail("header_unexpected", `the header ${unsigned}, which isn't signed,`);
      const values = readValues(request, names);
      if ("reason" in values) return values;
      const text = toSignedText(time, names, values, request.body);
      if (!hasMac("sha256", keys, [text], [signature])) return fail("signature_mismatch", subject);
      return checkAge(sentMs, nowMs, window, toleranceSeconds, `the part t of ${subject}`);
    }),
    sign: ({ secret, body, url, id, timestampMs }) => {
      const time = String(Math.floor(timestampMs / 1000));
      const type = parseJsonObject(body)?.eventType;
      const signed = {
        "content-type": "application/json",
        [hook0Id]: id,
        [hook0Type]: typeof type === "string" ? type : "example.object.created",
      };
      const names = Object.keys(signed);
      const text = toSignedText(time, names, Object.values(signed), body);
      const signature = computeHmac("sha256", secret, text).toString("hex");
      return {
        headers: { ...signed, [header]: `t=${time},h=${names.join(" ")},v1=${signature}` },
        body,
        url,
      };
    },
  };
}

type Signature = {
  readonly signature: Buffer;
  readonly time: string;
  readonly sentMs: number;
  /** The signed headers, in the order in which they are signed. */
  readonly names: readonly string[];
};

function readSignature(value: string): Signature | VerifyFailure {
  const extracted: Extracted = { candidates: [], parts: new Map() };
  if (!extractSignatures(value, format, ["t", "h"], [extracted]))
    return fail("too_many_signatures", subject);
  const { candidates, parts } = extracted;
  const [encoded, ...others] = candidates;
  if (encoded === undefined) return fail("signature_missing", `the part v1 of ${subject}`);
  const signature = decodeMac(encoded, "sha256", "hex");
  const [time, ...otherTimes] = parts.get("t") ?? [];
  const [list, ...otherLists] = parts.get("h") ?? [];
  if (signature === null || [...others, ...otherTimes, ...otherLists].length > 0)
    return fail("signature_malformed", subject);
  if (time === undefined) return fail("timestamp_missing", `the part t of ${subject}`);
  const sentMs = parseTimestamp(time, "s");
  if (sentMs === null) return fail("timestamp_malformed", `the part t of ${subject}`);
  const names = (list ?? "").split(" ", maxHeaders + 1);
  const isList =
    names.length <= maxHeaders &&
    names.every((name) => headerName.test(name)) &&
    new Set(names).size === names.length;
  return isList ? { signature, time, sentMs, names } : fail("signature_malformed", subject);
}

/**
 * Dots separate the values. If a value could have any number of them, a part of the event's type
 * could become its id under the same signature. A type has three parts, and nothing else has dots.
 */
function readValues(
  { headers }: VerifyRequest,
  names: readonly string[],
): readonly string[] | VerifyFailure {
  const values: string[] = [];
  for (const name of names) {
    const reading = readHeader(headers, name);
    if (reading.found === "none") return fail("header_missing", `the header ${name}`);
    if (reading.found === "many") return fail("header_repeated", `the header ${name}`);
    if (reading.value.split(".").length !== (name === hook0Type ? 3 : 1))
      return fail("value_malformed", `the header ${name}`);
    values.push(reading.value);
  }
  return values;
}

function toSignedText(
  time: string,
  names: readonly string[],
  values: readonly string[],
  body: Uint8Array,
): Buffer {
  const lead = [time, names.join(" "), ...values, ""].join(".");
  return Buffer.concat([Buffer.from(lead, "latin1"), body]);
}
