import { decodeHexOrBase64, looseMac } from "./shapes/loose-mac.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const maxSignatures = 10;

/** `1/SHA256/…,2/SHA256/…`: one signature by each key. Null if a key signs twice, or none does. */
function readSignatures(header: string): readonly Buffer[] | null {
  const items = header.split(",", maxSignatures + 1).map((item) => item.trim().split("/"));
  if (items.length > maxSignatures) return null;
  if (new Set(items.map(([keyId]) => keyId)).size < items.length) return null;
  const signatures = items.flatMap(([keyId = "", hash, ...rest]) =>
    // Base64 may have slashes in it.
    /^\d{1,10}$/.test(keyId) && hash === "SHA256" ? (decodeHexOrBase64(rest.join("/")) ?? []) : [],
  );
  return signatures.length === 0 ? null : signatures;
}

/**
 * Access Worldpay. Compared with https://docs.worldpay.com/access/products/events/signature on
 * 2026-11-28, which doesn't say how the signature is encoded. The page of account payouts says
 * hexadecimal for the same header.
 */
export const worldpay: Provider = {
  id: "worldpay",
  name: "Worldpay (Access)",
  scheme: looseMac("event-signature", {
    proof:
      "HMAC-SHA256, hex or base64, of `{body}`, after the key's number and SHA256 in the header event-signature",
    read: readSignatures,
    write: (signature) => `1/SHA256/${signature.toString("hex")}`,
  }),
  eventId: [inBody("eventId")],
  identity: {
    why: "Each event has its own eventId; eventDetails.transactionReference is that of the payment.",
    source: "https://docs.worldpay.com/access/products/events/openapi/payment/refusedpayment",
  },
  eventType: [inBody("eventDetails.type")],
  secretHelp: "The shared secret from your Implementation Manager, used as text.",
  whereToPaste:
    "Dashboard → Developer Tools → Webhooks: paste the catch URL, and ask your " +
    "Implementation Manager to enable the Event-Signature header.",
  docsUrl: "https://docs.worldpay.com/access/products/events/signature",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 10,
};
