import { sign, verify } from "node:crypto";
import type { Handshake } from "#lib/core/verify/handshake/handshake.ts";
import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { decodeCanonical } from "#lib/core/verify/scheme/encoding.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import { findKeys, isKeyList } from "#lib/core/verify/scheme/find-keys.ts";
import { parseJsonObject } from "#lib/core/verify/scheme/request-view.ts";
import { inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

type Message = Readonly<Record<string, unknown>>;

/** In signing order. Those in `optional` are left out if the message lacks them. */
const signedFields = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ],
  UnsubscribeConfirmation: [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ],
} as const;

/** Null if a signed field is missing or not text, or the type is unknown. */
function toSignedText(message: Message): string | null {
  const type = message.Type;
  if (typeof type !== "string" || !Object.hasOwn(signedFields, type)) return null;
  let text = "";
  for (const name of signedFields[type as keyof typeof signedFields]) {
    const value = message[name];
    if (name === "Subject" && (value === undefined || value === null)) continue;
    if (typeof value !== "string") return null;
    text += `${name}\n${value}\n`;
  }
  return text;
}

const hashes: Readonly<Record<string, "sha1" | "sha256">> = { 1: "sha1", 2: "sha256" };

/**
 * Amazon signs all customers' messages with the same keys, so the topic must be the expected one. A
 * message's time is that of its publication, and SNS retries for hours, so there is no time window:
 * de-duplication stops replays.
 */
const scheme: CodeScheme = {
  kind: "code",
  proof:
    "RSA-SHA1 or RSA-SHA256 of the message's fields, by a certificate of Amazon, for one topic",
  takesSecret: false,
  proofHeaders: ["x-amz-sns-message-type", "x-amz-sns-topic-arn"],
  keyPair: { algorithm: "rsa-sha256", isPublished: true },
  settings: [
    {
      name: "topicArn",
      label: "Topic ARN",
      help: "The ARN of the topic: SNS → Topics → your topic. Messages from other topics are rejected.",
      example: "arn:aws:sns:us-east-1:123456789012:orders",
      pattern:
        /^arn:aws(?:-[a-z]{2,10})*:sns:[a-z0-9-]{3,40}:\d{12}:[A-Za-z0-9_-]{1,256}(?:\.fifo)?$/,
    },
  ],
  findSecretProblem: () => null,
  prepare:
    ({ settings }) =>
    ({ body }, nowMs, keys) => {
      const message = parseJsonObject(body);
      if (message === null) return fail("signature_missing", "the body field Signature");
      const {
        Signature: encoded,
        SignatureVersion: version,
        SigningCertURL: url,
        TopicArn: topic,
      } = message;
      if (typeof encoded !== "string") return fail("signature_missing", "the body field Signature");
      const signature = encoded.length > 2048 ? null : decodeCanonical(encoded, "base64");
      const hash =
        typeof version === "string" && Object.hasOwn(hashes, version) ? hashes[version] : undefined;
      if (signature === null || hash === undefined)
        return fail("signature_malformed", "the body field Signature");
      const text = toSignedText(message);
      if (text === null) return fail("value_missing", "a field of the message");
      if (topic !== settings.topicArn) return fail("claim_mismatch", "the body field TopicArn");
      const subject = "the body field SigningCertURL";
      if (typeof url !== "string") return fail("value_missing", subject);
      const found = findKeys({ format: "certificate", url, keyId: null }, keys, nowMs, subject);
      if (!isKeyList(found)) return found;
      const isSigned = found.some(
        (key) =>
          key.asymmetricKeyType === "rsa" &&
          verify(hash, Buffer.from(text, "utf8"), key, signature),
      );
      return isSigned ? null : fail("signature_mismatch", "the body field Signature");
    },
  sign: ({ secret, settings, body, url, id, timestampMs }) => {
    const message: Message = {
      Type: "Notification",
      MessageId: id,
      TopicArn: settings.topicArn,
      Message: Buffer.from(body).toString("utf8"),
      Timestamp: new Date(timestampMs).toISOString(),
      SignatureVersion: "2",
      SigningCertURL: sampleCertificateUrl,
    };
    const signature = sign("sha256", Buffer.from(toSignedText(message) ?? "", "utf8"), secret);
    return {
      headers: {
        "content-type": "text/plain; charset=UTF-8",
        "x-amz-sns-message-type": "Notification",
      },
      body: Buffer.from(JSON.stringify({ ...message, Signature: signature.toString("base64") })),
      url,
    };
  },
};

const sampleCertificateUrl =
  "https://sns.us-east-1.amazonaws.com/SimpleNotificationService-sample.pem";

/** The host of every region: https://docs.aws.amazon.com/general/latest/gr/sns.html */
const snsHosts = /^sns\.[a-z0-9-]{3,32}\.amazonaws\.com(?:\.cn)?$/;

function confirmSns(type: "SubscriptionConfirmation" | "UnsubscribeConfirmation"): Handshake {
  return {
    name:
      type === "SubscriptionConfirmation" ? "subscription confirmation" : "notice of unsubscribing",
    methods: ["POST"],
    when: [{ ...inBody("Type"), equals: type }],
    proof: "signature",
    // An unsubscribe is deliberate: this URL would subscribe again.
    reply:
      type === "SubscriptionConfirmation"
        ? { kind: "confirmUrl", url: inBody("SubscribeURL"), hosts: snsHosts }
        : { kind: "respond" },
  };
}

export const awsSns: Provider = {
  id: "aws-sns",
  name: "Amazon SNS",
  scheme,
  eventId: [inBody("MessageId")],
  identity: {
    why: "Each message has its own MessageId, which SNS keeps for every try.",
    source: "https://docs.aws.amazon.com/sns/latest/dg/sns-message-and-json-formats.html",
  },
  eventType: [inBody("Subject"), inBody("Type")],
  secretHelp: "None: Amazon publishes its certificates. Fill in the topic's ARN instead.",
  whereToPaste:
    "SNS → Topics → your topic → Create subscription: choose HTTPS and paste " +
    "the catch URL as endpoint; leave raw message delivery off.",
  docsUrl: "https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html",
  proof: { package: "sns-validator", describedBy: "provider" },
  handshakes: [confirmSns("SubscriptionConfirmation"), confirmSns("UnsubscribeConfirmation")],
  marks: {
    userAgent: /^Amazon Simple Notification Service Agent/,
    body: [{ path: "TopicArn", is: /^arn:aws/, why: "its body has a TopicArn" }],
  },
};
