import { computeHmac, decodeMac, hasMac, toKeys } from "#lib/core/verify/scheme/code-mac.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodePasted } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { parseJsonObject } from "#lib/core/verify/scheme/request-view.ts";
import { eventsAt } from "./shapes/events-at.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

type Fields = Readonly<Record<string, unknown>>;

const subject = "the body field additionalData.hmacSignature";

/** Adyen sends six at most. */
const maxItems = 100;

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The items of a batch; null if the body has another shape. */
function readItems(body: Uint8Array): readonly Fields[] | null {
  const list = parseJsonObject(body)?.notificationItems;
  if (!Array.isArray(list) || list.length === 0 || list.length > maxItems) return null;
  const items = list.map((entry: unknown) =>
    isFields(entry) ? entry.NotificationRequestItem : null,
  );
  return items.every(isFields) ? items : null;
}

/**
 * Eight fields joined by colons; missing ones are empty. Null if the same text could have other fields,
 * which would be another event: only the merchant's own reference may have a colon, and only the
 * amount may be a number.
 */
function toSignedText(item: Fields): string | null {
  const amount = isFields(item.amount) ? item.amount : {};
  const value = Number.isSafeInteger(amount.value) ? String(amount.value) : amount.value;
  const before = [item.pspReference, item.originalReference, item.merchantAccountCode].map(toPlain);
  const after = [value, amount.currency, item.eventCode, item.success].map(toPlain);
  const { merchantReference: reference = null } = item;
  if (reference !== null && typeof reference !== "string") return null;
  const values = [...before, reference ?? "", ...after];
  return values.includes(null) ? null : values.join(":");
}

function toPlain(value: unknown): string | null {
  if (value === undefined || value === null) return "";
  return typeof value === "string" && !value.includes(":") ? value : null;
}

/** Each item has its own signature, and all must match: unsigned items are rejected. */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "HMAC-SHA256, base64, of eight fields of each item, in the item's additionalData.hmacSignature",
  bodyNotSigned: true,
  takesSecret: true,
  proofHeaders: [],
  findSecretProblem: (secret) =>
    decodePasted(secret, "hex") === null
      ? "The secret is not hex. Copy the whole HMAC key from the Customer Area: 64 hexadecimal characters."
      : null,
  prepare: ({ secrets }) => {
    const keys = toKeys(secrets, (secret) => decodePasted(secret, "hex"));
    if (keys === null) return null;
    return ({ body }) => {
      const items = readItems(body);
      if (items === null) return fail("signature_missing", subject);
      for (const item of items) {
        const encoded = isFields(item.additionalData)
          ? item.additionalData.hmacSignature
          : undefined;
        if (typeof encoded !== "string" || encoded === "")
          return fail("signature_missing", subject);
        const signature = decodeMac(encoded, "sha256", "base64");
        const text = toSignedText(item);
        if (signature === null || text === null) return fail("signature_malformed", subject);
        if (!hasMac("sha256", keys, [text], [signature]))
          return fail("signature_mismatch", subject);
      }
      return null;
    };
  },
  sign: ({ secret, body, url }) => {
    const [key] = toKeys([secret], (text) => decodePasted(text, "hex")) ?? [];
    if (key === undefined) throw new Error("the secret is not hex");
    const notificationItems = (readItems(body) ?? []).map((item) => {
      const text = toSignedText(item) ?? "";
      const hmacSignature = computeHmac("sha256", key, text).toString("base64");
      const additionalData = {
        ...(isFields(item.additionalData) ? item.additionalData : {}),
        hmacSignature,
      };
      return { NotificationRequestItem: { ...item, additionalData } };
    });
    const signed = { ...parseJsonObject(body), notificationItems };
    return {
      headers: { "content-type": "application/json" },
      body: Buffer.from(JSON.stringify(signed)),
      url,
    };
  },
};

export const adyen: Provider = {
  id: "adyen",
  name: "Adyen (payment notifications)",
  scheme,
  eventId: [byContent],
  identity: {
    why:
      "Adyen gives two items the same pspReference and eventCode only when they are " +
      "the same event; success tells a late success from a failure.",
    source: "https://docs.adyen.com/development-resources/webhooks/webhook-types/",
  },
  eventType: [inBody("notificationItems.0.NotificationRequestItem.eventCode")],
  batch: eventsAt("notificationItems", {
    eventId: [
      [
        "NotificationRequestItem.pspReference",
        "NotificationRequestItem.eventCode",
        "NotificationRequestItem.success",
      ],
    ],
    eventType: [["NotificationRequestItem.eventCode"]],
  }),
  secretHelp: "The HMAC key of the webhook: 64 hexadecimal characters, which are decoded.",
  whereToPaste:
    "Customer Area → Developers → Webhooks → Standard webhook → Add: paste the catch " +
    "URL with JSON as method, then Generate under Security → HMAC key.",
  docsUrl:
    "https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures",
  proof: { package: "@adyen/api-library", describedBy: "provider" },
  response: { body: "[accepted]" },
  marks: {
    body: [
      {
        path: "notificationItems.0.NotificationRequestItem.eventCode",
        is: /./,
        why: "its body has notificationItems",
        isSure: true,
      },
    ],
  },
};
