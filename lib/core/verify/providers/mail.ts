/** E-mail: what became of it, and what came in. */
import { mailchimpHandshakes, mandrillHandshakes, nylasHandshakes } from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, inBody } from "./shapes.ts";

export const mail: readonly Provider[] = [
  /** The signature is in the body and covers only a time and a token: it proves the origin, not the content. */
  {
    id: "mailgun",
    name: "Mailgun",
    scheme: {
      ...bodyMac("x"),
      signature: { sources: [{ from: "body", path: "signature.signature" }], format: { type: "bare" } },
      signed: {
        template: "{timestamp}{token}",
        values: { token: { from: "body", path: "signature.token" } },
        bodyNotSigned: true,
      },
      timestamp: {
        source: { from: "body", path: "signature.timestamp" },
        unit: "s",
        pastSeconds: 300,
        futureSeconds: 300,
      },
    },
    eventId: [inBody("event-data.id"), inBody("signature.token")],
    eventType: [inBody("event-data.event")],
    secretHelp: "The HTTP webhook signing key of the account. Not an API key.",
    whereToPaste:
      "Sending → Webhooks → Add webhook: paste the catch URL; Settings → API security shows the HTTP webhook signing key.",
    docsUrl: "https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks",
  },
  {
    id: "postmark",
    name: "Postmark",
    scheme: { kind: "basic" },
    // One message has many events, and none of them an id.
    eventId: [byContent],
    eventType: [inBody("RecordType")],
    secretHelp: "User name and password with a colon between them: user:password.",
    whereToPaste:
      "Server → Message stream → Webhooks → Add webhook: paste the catch URL and fill in Basic auth credentials. Postmark does not sign.",
    docsUrl: "https://postmarkapp.com/developer/webhooks/webhooks-overview",
    confirmed: false,
  },
  {
    id: "mandrill",
    name: "Mandrill (Mailchimp Transactional)",
    scheme: {
      ...bodyMac("x-mandrill-signature", { hash: "sha1", encoding: "base64" }),
      signed: { template: "{url}{form}" },
    },
    eventId: [byContent],
    eventType: [],
    batch: {
      list: { from: "form", name: "mandrill_events" },
      keepsEnvelope: false,
      // The id is that of the message, which has many events.
      eventId: [],
      otherwise: "content",
      eventType: [["event"], ["type"]],
    },
    secretHelp: "The webhook's authentication key, used as text.",
    whereToPaste:
      "Settings → Webhooks → Add: paste the catch URL exactly as shown here; the list shows the key of each webhook.",
    docsUrl: "https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/",
    handshakes: mandrillHandshakes,
    confirmed: false,
  },
  {
    id: "mailersend",
    name: "MailerSend",
    scheme: bodyMac("signature"),
    eventId: [byContent],
    eventType: [inBody("type")],
    secretHelp: "The webhook's Signing Secret.",
    whereToPaste: "Domain → Webhooks → Create webhook: paste the catch URL and copy the Signing Secret.",
    docsUrl: "https://developers.mailersend.com/api/v1/webhooks.html",
    confirmed: false,
  },
  {
    id: "brevo",
    name: "Brevo",
    scheme: { kind: "bearer" },
    eventId: [byContent],
    eventType: [inBody("event")],
    secretHelp: "The token alone, without the word Bearer.",
    whereToPaste:
      "Transactional → Settings → Webhook → Add: paste the catch URL and choose token authentication. Brevo does not sign.",
    docsUrl: "https://developers.brevo.com/docs/how-to-use-webhooks",
    confirmed: false,
  },
  /** Mailchimp does not sign and sends no headers of its own: the token is a part of the URL. */
  {
    id: "mailchimp",
    name: "Mailchimp Marketing",
    scheme: { kind: "token", source: { from: "query", name: "token" } },
    eventId: [byContent],
    eventType: [],
    secretHelp: "The value that you put behind ?token= in the URL that you give Mailchimp.",
    whereToPaste:
      "Audience → Settings → Webhooks → Create New Webhook: paste the catch URL followed by ?token= and a long random value.",
    docsUrl: "https://mailchimp.com/developer/marketing/guides/sync-audience-data-webhooks/",
    handshakes: mailchimpHandshakes,
    confirmed: false,
  },
  /** Signed are the bytes as they travel, compressed if compression is on. */
  {
    id: "nylas",
    name: "Nylas (v3)",
    scheme: bodyMac("x-nylas-signature"),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The webhook_secret in the answer that made the webhook.",
    whereToPaste:
      "Dashboard → Notifications → Create webhook: paste the catch URL and copy the webhook secret, which is shown once.",
    docsUrl: "https://developer.nylas.com/docs/v3/notifications/",
    handshakes: nylasHandshakes,
    answerWithinSeconds: 10,
  },
];
