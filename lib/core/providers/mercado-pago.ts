import { computeHmac, decodeMac, hasMac, withOneHeader } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { RequestView, readHeader } from "#lib/core/verify/scheme/request-view.ts";
import { type Extracted, extractSignatures } from "#lib/core/verify/scheme/signatures.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const header = "x-signature";

const subject = `the header ${header}`;

const format = { type: "pairs", itemSeparator: ",", keySeparator: "=", key: "v1" } as const;

/** Missing parts are left out. */
function toManifest(dataId: string, requestId: string, time: string): string {
  const parts = [
    ["id", dataId],
    ["request-id", requestId],
    ["ts", time],
  ];
  return parts.map(([name, value]) => (value === "" ? "" : `${name}:${value};`)).join("");
}

/**
 * The body isn't signed, and QR code notifications aren't signed at all. The time is signed, but it
 * is undocumented whether a retry has a new one, so it is only used in the signed text.
 */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA256, hex, of `id:{data.id};request-id:{x-request-id};ts:{ts};` in the header x-signature",
  bodyNotSigned: true,
  takesSecret: true,
  proofHeaders: [header],
  findSecretProblem: () => null,
  prepare: withOneHeader(header, (value, { keys, request }) => {
    const extracted: Extracted[] = [];
    if (!extractSignatures(value.replaceAll(" ", ""), format, ["ts"], extracted))
      return fail("too_many_signatures", subject);
    const [{ candidates, parts } = { candidates: [], parts: new Map<string, string[]>() }] =
      extracted;
    const signatures = candidates.flatMap((text) => decodeMac(text, "sha256", "hex") ?? []);
    if (signatures.length === 0) return fail("signature_malformed", subject);
    const [time, another] = parts.get("ts") ?? [];
    if (time === undefined || time === "")
      return fail("timestamp_missing", `the part ts of ${subject}`);
    if (another !== undefined) return fail("header_repeated", `the part ts of ${subject}`);
    if (!/^[1-9]\d{9,12}$/.test(time))
      return fail("timestamp_malformed", `the part ts of ${subject}`);
    const requestId = readHeader(request.headers, "x-request-id");
    const dataId = new RequestView(request).read({ from: "query", name: "data.id" }, null);
    if (requestId.found === "many") return fail("header_repeated", "the header x-request-id");
    if (dataId.found === "many") return fail("header_repeated", "the query parameter data.id");
    const id = dataId.found === "one" ? dataId.value : "";
    const text = requestId.found === "one" ? requestId.value : "";
    // A manifest with only the time would make one signature valid for any notification.
    if (id === "" && text === "") return fail("value_missing", "the query parameter data.id");
    // Ids with letters are signed in lowercase, regardless of the URL.
    const texts = [toManifest(id, text, time), toManifest(id.toLowerCase(), text, time)];
    return hasMac("sha256", keys, texts, signatures)
      ? { signed: toManifest(id, text, time) }
      : fail("signature_mismatch", subject);
  }),
  sign: ({ secret, body, url, id, timestampMs }) => {
    const time = String(Math.floor(timestampMs / 1000));
    const signature = computeHmac("sha256", secret, toManifest("123456", id, time)).toString("hex");
    return {
      headers: { "x-request-id": id, [header]: `ts=${time},v1=${signature}` },
      body,
      url: `${url}${url.includes("?") ? "&" : "?"}data.id=123456&type=payment`,
    };
  },
};

export const mercadoPago: Provider = {
  id: "mercado-pago",
  name: "Mercado Pago",
  scheme,
  eventId: [allOf(inBody("id"), byContent), byContent],
  identity: {
    why:
      "For payments, the body's id is that of the notification; for topic_merchant_order_wh, " +
      "it is the order's, which has many, and action, status, and version tell them apart.",
    source: null,
  },
  replay: { isOn: true, why: "the time and the request's id are signed" },
  eventType: [inBody("action"), inBody("type")],
  secretHelp:
    "The secret signature that is generated when the webhook is saved. Not the access token.",
  whereToPaste:
    "Your integrations → the application → Webhooks → Configure notifications: " +
    "paste the catch URL, save, and reveal the secret signature.",
  docsUrl:
    "https://www.mercadopago.com/developers/en/docs/your-integrations/notifications/webhooks",
  proof: { package: "mercadopago", describedBy: "provider" },
};
