/** The handshakes of the senders that have any. Sources: the pages that the providers' `docsUrl` name. */
import type { FieldPlace, Handshake, Piece } from "./handshake.ts";

const challenge: Piece = { value: "challenge" };

const inQuery = (name: string): FieldPlace => ({ from: "query", name });
const inHeader = (name: string): FieldPlace => ({ from: "header", name });
const inBody = (path: string): FieldPlace => ({ from: "body", path });

/** `GET ?challenge=…` is answered with the challenge as text. */
function echoQuery(name: string, method: "GET" | "POST" = "GET"): Handshake {
  const place = inQuery(name);
  return {
    name: "challenge",
    methods: [method],
    when: [place],
    proof: "none",
    reply: { kind: "answer", challenge: place, body: { type: "text", text: [challenge] } },
  };
}

export const dropboxHandshakes: readonly Handshake[] = [echoQuery("challenge")];
export const nylasHandshakes: readonly Handshake[] = [echoQuery("challenge")];
export const graphHandshakes: readonly Handshake[] = [echoQuery("validationToken", "POST")];

export const metaHandshakes: readonly Handshake[] = [
  {
    ...echoQuery("hub.challenge"),
    when: [{ ...inQuery("hub.mode"), equals: "subscribe" }, inQuery("hub.challenge")],
    proof: { verifyToken: inQuery("hub.verify_token") },
  },
];

/** Asked for at registration and every hour: one wrong answer stops all deliveries. */
export const xHandshakes: readonly Handshake[] = [
  {
    name: "challenge-response check",
    methods: ["GET"],
    when: [inQuery("crc_token")],
    proof: "none",
    reply: {
      kind: "answer",
      challenge: inQuery("crc_token"),
      body: {
        type: "json",
        fields: { response_token: ["sha256=", { hmac: "sha256", encoding: "base64", of: [challenge] }] },
      },
    },
  },
];

export const ebayHandshakes: readonly Handshake[] = [
  {
    name: "challenge code",
    methods: ["GET"],
    when: [inQuery("challenge_code")],
    proof: "none",
    reply: {
      kind: "answer",
      challenge: inQuery("challenge_code"),
      body: {
        type: "json",
        fields: {
          challengeResponse: [
            {
              digest: "sha256",
              encoding: "hex",
              of: [challenge, { value: "verifyToken" }, { value: "catchUrl" }],
            },
          ],
        },
      },
    },
  },
];

/** Asked for when the webhook is saved. */
export const braintreeHandshakes: readonly Handshake[] = [
  {
    name: "challenge",
    methods: ["GET"],
    when: [inQuery("bt_challenge")],
    proof: "none",
    reply: {
      kind: "answer",
      challenge: inQuery("bt_challenge"),
      // Its events are base64, so that a challenge which may be base64 could be one.
      challengePattern: /^[a-f0-9]{20,32}$/,
      body: {
        type: "text",
        text: [{ setting: "publicKey" }, "|", { hmac: "sha1", encoding: "hex", of: [challenge] }],
      },
    },
  },
];

export const oktaHandshakes: readonly Handshake[] = [
  {
    name: "one-time verification",
    methods: ["GET"],
    when: [inHeader("x-okta-verification-challenge")],
    proof: "none",
    reply: {
      kind: "answer",
      challenge: inHeader("x-okta-verification-challenge"),
      body: { type: "json", fields: { verification: [challenge] } },
    },
  },
];

export const slackHandshakes: readonly Handshake[] = [
  {
    name: "URL verification",
    methods: ["POST"],
    when: [{ ...inBody("type"), equals: "url_verification" }, inBody("challenge")],
    proof: "signature",
    isAnsweredWhilePending: true,
    reply: {
      kind: "answer",
      challenge: inBody("challenge"),
      body: { type: "text", text: [challenge] },
    },
  },
];

/** Without the `type` that Slack has. Boards sign nothing. */
export const mondayHandshakes: readonly Handshake[] = [
  {
    name: "challenge",
    methods: ["POST"],
    when: [
      inBody("challenge"),
      { ...inBody("type"), isAbsent: true },
      { ...inBody("event.type"), isAbsent: true },
    ],
    proof: "none",
    reply: {
      kind: "answer",
      challenge: inBody("challenge"),
      body: { type: "json", fields: { challenge: [challenge] } },
    },
  },
];

export const twitchHandshakes: readonly Handshake[] = [
  {
    name: "callback verification",
    methods: ["POST"],
    when: [{ ...inHeader("twitch-eventsub-message-type"), equals: "webhook_callback_verification" }],
    proof: "signature",
    isAnsweredWhilePending: true,
    reply: {
      kind: "answer",
      challenge: inBody("challenge"),
      body: { type: "text", text: [challenge] },
    },
  },
];

/** CloudEvents 1.0 web hook specification, section 4: which origin may send, and how fast. */
const allowedOrigin: Handshake = {
  name: "abuse protection request",
  methods: ["OPTIONS"],
  when: [inHeader("webhook-request-origin")],
  proof: "none",
  reply: {
    kind: "answer",
    challenge: inHeader("webhook-request-origin"),
    headers: {
      allow: ["POST"],
      "webhook-allowed-origin": [challenge],
      "webhook-allowed-rate": ["*"],
    },
  },
};

export const cloudEventsHandshakes: readonly Handshake[] = [allowedOrigin];

export const eventGridHandshakes: readonly Handshake[] = [
  allowedOrigin,
  {
    name: "subscription validation",
    methods: ["POST"],
    when: [{ ...inBody("0.eventType"), equals: "Microsoft.EventGrid.SubscriptionValidationEvent" }],
    proof: "signature",
    isAnsweredWhilePending: true,
    reply: {
      kind: "answer",
      challenge: inBody("0.data.validationCode"),
      body: { type: "json", fields: { validationResponse: [challenge] } },
    },
  },
];

/** Repeated every 72 hours. */
export const zoomHandshakes: readonly Handshake[] = [
  {
    name: "URL validation",
    methods: ["POST"],
    when: [{ ...inBody("event"), equals: "endpoint.url_validation" }],
    proof: "signature",
    reply: {
      kind: "answer",
      challenge: inBody("payload.plainToken"),
      body: {
        type: "json",
        fields: {
          plainToken: [challenge],
          encryptedToken: [{ hmac: "sha256", encoding: "hex", of: [challenge] }],
        },
      },
    },
  },
];

export const asanaHandshakes: readonly Handshake[] = [
  {
    name: "secret in X-Hook-Secret",
    methods: ["POST"],
    when: [inHeader("x-hook-secret")],
    proof: "none",
    reply: { kind: "keepSecret", secret: inHeader("x-hook-secret"), echoHeader: "x-hook-secret" },
  },
];

/** The token comes once, unsigned; then its owner has to paste it at Notion, which signs with it from there on. */
export const notionHandshakes: readonly Handshake[] = [
  {
    name: "verification token",
    methods: ["POST"],
    when: [{ ...inHeader("x-notion-signature"), isAbsent: true }, inBody("verification_token")],
    proof: "none",
    reply: { kind: "keepSecret", secret: inBody("verification_token"), isShownToOwner: true },
  },
];

/**
 * Interactions ask with type 1, webhook events with type 0. Wrong signatures are sent too and must get a 401, so neither
 * is answered before the public key is there.
 */
export const discordHandshakes: readonly Handshake[] = [
  {
    name: "ping",
    methods: ["POST"],
    when: [{ ...inBody("type"), equals: "1" }],
    proof: "signature",
    reply: { kind: "answer", body: { type: "json", fields: { type: 1 } } },
  },
  {
    name: "ping",
    methods: ["POST"],
    when: [{ ...inBody("type"), equals: "0" }],
    proof: "signature",
    reply: { kind: "answer", status: 204 },
  },
];

/** A plain success says that somebody is there. */
function plain(method: "GET" | "HEAD"): Handshake {
  return {
    name: `${method} request`,
    methods: [method],
    when: [],
    proof: "none",
    reply: { kind: "answer" },
  };
}

export const trelloHandshakes: readonly Handshake[] = [plain("HEAD")];
export const mandrillHandshakes: readonly Handshake[] = [plain("HEAD")];
export const mailchimpHandshakes: readonly Handshake[] = [plain("GET"), plain("HEAD")];

/** The "intent to receive": deliveries without events, rightly and wrongly signed. The status is the answer. */
export const xeroHandshakes: readonly Handshake[] = [
  {
    name: "intent to receive",
    methods: ["POST"],
    when: [{ ...inBody("events.length"), equals: "0" }],
    proof: "signature",
    reply: { kind: "answer" },
  },
];

/** When a webhook is switched on: a form with nothing else in it, unsigned. */
export const wooCommerceHandshakes: readonly Handshake[] = [
  {
    name: "ping",
    methods: ["POST"],
    when: [
      { ...inHeader("x-wc-webhook-signature"), isAbsent: true },
      { from: "form", name: "webhook_id" },
    ],
    proof: "none",
    reply: { kind: "answer" },
  },
];

/** A channel begins with a message without a body. */
export const googleChannelHandshakes: readonly Handshake[] = [
  {
    name: "sync message",
    methods: ["POST"],
    when: [{ ...inHeader("x-goog-resource-state"), equals: "sync" }],
    proof: "signature",
    isAnsweredWhilePending: true,
    reply: { kind: "answer" },
  },
];

/** The host of every region: https://docs.aws.amazon.com/general/latest/gr/sns.html */
const snsHosts = /^sns\.[a-z0-9-]{3,32}\.amazonaws\.com(?:\.cn)?$/;

function confirmSns(type: "SubscriptionConfirmation" | "UnsubscribeConfirmation"): Handshake {
  return {
    name: type === "SubscriptionConfirmation" ? "subscription confirmation" : "notice of unsubscribing",
    methods: ["POST"],
    when: [{ ...inBody("Type"), equals: type }],
    proof: "signature",
    // Whoever unsubscribed meant it: that URL would subscribe again.
    reply:
      type === "SubscriptionConfirmation"
        ? { kind: "confirmUrl", url: inBody("SubscribeURL"), hosts: snsHosts }
        : { kind: "answer" },
  };
}

export const snsHandshakes: readonly Handshake[] = [
  confirmSns("SubscriptionConfirmation"),
  confirmSns("UnsubscribeConfirmation"),
];
