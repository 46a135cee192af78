import { parseForm } from "#lib/core/mapping/payload/parse-form.ts";
import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { readHeader, type VerifyRequest } from "#lib/core/verify/scheme/request-view.ts";
import { requestForSigning } from "#lib/core/verify/sign.ts";
import { inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "x-plivo-signature-v3";

const nonceHeader = "x-plivo-signature-v3-nonce";

const subject = `the header ${header}`;

const maxSignatures = 10;

/** The URL with its sorted query, the sorted form fields, and the nonce. */
function toSignedText(request: VerifyRequest, nonce: string): string | null {
  const [base = "", query = ""] = splitOnce(request.url, "?");
  const sortedQuery = [...new URLSearchParams(query)]
    .map(([name, value]) => ({ name, value }))
    .toSorted((one, other) => compare(one.name, other.name) || compare(one.value, other.value))
    .map(({ name, value }) => `${name}=${value}`)
    .join("&");
  const form = readForm(request);
  if (form === null) return null;
  let text = base;
  if (sortedQuery !== "" || form !== "") text += `?${sortedQuery}`;
  if (sortedQuery !== "" && form !== "") text += ".";
  return `${text}${form}.${nonce}`;
}

function readForm(request: VerifyRequest): string | null {
  if (request.method === "GET") return "";
  const form = parseForm(Buffer.from(request.body).toString("utf8"));
  if (form === null) return null;
  return [...form]
    .toSorted(
      ([name, value], [otherName, otherValue]) =>
        compare(name, otherName) || compare(value, otherValue),
    )
    .map(([name, value]) => name + value)
    .join("");
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function splitOnce(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA256, base64, of `{url}`, `{form}` and a nonce, in the header x-plivo-signature-v3",
  takesSecret: true,
  proofHeaders: [header],
  findSecretProblem: () => null,
  prepare: withOneHeader(header, (value, { keys, request }) => {
    const nonce = readHeader(request.headers, nonceHeader);
    if (nonce.found === "none") return fail("value_missing", `the header ${nonceHeader}`);
    if (nonce.found === "many") return fail("header_repeated", `the header ${nonceHeader}`);
    // It identifies the event, so it must not be able to begin in the form.
    if (nonce.value.includes(".")) return fail("id_malformed", `the header ${nonceHeader}`);
    const candidates = value.split(",", maxSignatures + 1);
    if (candidates.length > maxSignatures) return fail("too_many_signatures", subject);
    const signatures = candidates.flatMap((text) => decodeMac(text, "sha256", "base64") ?? []);
    if (signatures.length === 0) return fail("signature_malformed", subject);
    const text = toSignedText(request, nonce.value);
    const isSigned = text !== null && hasMac("sha256", keys, [text], signatures);
    return isSigned ? null : fail("signature_mismatch", subject);
  }),
  sign: ({ secret, body, url, id, method }) => ({
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      [nonceHeader]: id,
      [header]: computeHmac(
        "sha256",
        secret,
        toSignedText(requestForSigning(body, url, method), id) ?? "",
      ).toString("base64"),
    },
    body,
    url,
  }),
};

export const plivoV3: Provider = {
  id: "plivo-v3",
  name: "Plivo (V3 signatures)",
  scheme,
  eventId: [inHeader(nonceHeader)],
  identity: {
    why:
      "Each request has its own nonce, which is signed. A call asks many times with the same " +
      "fields, so no field can stand for the event; a further try may run again.",
    source: "https://www.plivo.com/docs/voice/concepts/signature-validation",
  },
  eventType: [inBody("Event"), inBody("CallStatus"), inBody("Status")],
  secretHelp: "The account's Auth Token. Not the Auth ID.",
  whereToPaste:
    "Console → Voice → Applications: paste the catch URL exactly as " +
    "shown here, with POST; the overview shows the Auth Token.",
  docsUrl: "https://www.plivo.com/docs/voice/concepts/signature-validation",
  proof: { package: "plivo", describedBy: "provider" },
};
