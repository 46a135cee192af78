/** Valid requests, changed by attackers and broken proxies. None may pass. For tests. */
import type { VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import type { Scheme, SigningScheme } from "#lib/core/verify/scheme/scheme.ts";

type Malformed = readonly [title: string, headers: VerifyRequest["headers"]];
type Headers = VerifyRequest["headers"];

/** Every way to break what a scheme reads from headers. Empty if it reads none. */
export function* spoilHeaders(scheme: Scheme, { headers }: VerifyRequest): Generator<Malformed> {
  const place = "signature" in scheme ? scheme.signature.sources[0] : undefined;
  if (place !== undefined && place.from !== "header") return;
  const name = place?.name ?? findProofHeader(scheme, headers);
  const value = name === undefined ? undefined : headers[name]?.[0];
  if (name === undefined || value === undefined) return;
  const set = (changed: string | readonly string[]): Headers => ({
    ...headers,
    [name]: typeof changed === "string" ? [changed] : changed,
  });

  for (const text of ["", " ", "v1,", "v1=", "t=,v1=", "=", ",", "null", "undefined", "true"])
    yield [`${JSON.stringify(text)} as the signature`, set(text)];
  yield ["two headers", set([value, value])];
  yield ["the right one and an empty one", set([value, ""])];
  yield ["a prefix of it", set(value.slice(0, -4))];
  yield ["it and a suffix", set(`${value}AAAA`)];
  yield ["it with a letter behind it", set(`${value}x`)];
  yield ["10,000 of it", set(Array(10_000).fill(value).join(","))];
  yield ["10,000 empty ones", set("v1, ".repeat(10_000))];
  if ("signature" in scheme) yield* spoilSigned(scheme, headers, value, set);
}

function* spoilSigned(
  scheme: SigningScheme,
  headers: Headers,
  value: string,
  set: (changed: string) => Headers,
): Generator<Malformed> {
  const { format } = scheme.signature;
  const lead =
    format.type === "bare"
      ? ""
      : format.type === "prefixed"
        ? format.prefix
        : format.key + format.keySeparator;
  const at = lead === "" ? 0 : value.lastIndexOf(lead) + lead.length;
  const [before, signature] = [value.slice(0, at), value.slice(at)];
  yield ["nothing behind its key", set(before)];
  yield ["the same bytes in another spelling", set(before + respell(signature, scheme.encoding))];
  yield ["white space inside", set(`${before}${signature.slice(0, 8)} ${signature.slice(8)}`)];
  if (format.type === "pairs") {
    const item = `${format.itemSeparator}${lead}${signature.replace(/^./, (first) => (first === "0" ? "1" : "0"))}`;
    yield [
      "the right one behind 10,000 others",
      set(
        `${before}${item.slice(format.itemSeparator.length + lead.length)}${item.repeat(10_000)}` +
          `${format.itemSeparator}${lead}${signature}`,
      ),
    ];
  }

  const time = scheme.timestamp?.source;
  for (const text of ["", "Infinity", "NaN", "1e10", "-1", "0x10", "123abc"]) {
    if (time?.from === "header")
      yield [`the time ${JSON.stringify(text)}`, { ...headers, [time.name]: [text] }];
    if (time?.from === "part" && format.type === "pairs") {
      const key = `${time.key}${format.keySeparator}`;
      yield [
        `the time ${JSON.stringify(text)}`,
        set(value.replace(new RegExp(`${key}[^${format.itemSeparator}]*`), key + text)),
      ];
    }
  }
  if (time?.from === "header") {
    const sent = headers[time.name]?.[0] ?? "";
    yield ["letters behind the time", { ...headers, [time.name]: [`${sent}abc`] }];
    yield ["two times", { ...headers, [time.name]: [sent, sent] }];
  }
}

/** Other text that a lenient decoder reads as the same bytes. */
function respell(signature: string, encoding: SigningScheme["encoding"]): string {
  if (encoding === "hex") return `${signature}0`;
  const alphabet =
    encoding === "base64"
      ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
      : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const digits = signature.replace(/=+$/, "");
  // If the last digit has no unused bits, there is one digit too many.
  if (digits.length % 4 === 0) return `${signature}=`;
  const last = alphabet.indexOf(digits.slice(-1));
  return digits.slice(0, -1) + alphabet.charAt(last ^ 1) + signature.slice(digits.length);
}

function findProofHeader(scheme: Scheme, headers: Headers): string | undefined {
  if (scheme.kind === "token")
    return scheme.source.from === "header" ? scheme.source.name : undefined;
  if (scheme.kind === "basic" || scheme.kind === "bearer") return "authorization";
  return Object.keys(headers).find((name) =>
    /signature|hmac|digest|authorization|-sig$|verification/.test(name),
  );
}
