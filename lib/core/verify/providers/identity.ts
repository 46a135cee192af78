/** Who somebody is. */
import { oktaHandshakes } from "#lib/core/handshake/senders.ts";
import type { Provider } from "../provider.ts";
import { bodyMac, byContent, eventsAt, inBody, inHeader, pairMac } from "./shapes.ts";

export const identity: readonly Provider[] = [
  /** Okta does not sign. The value of the header is compared as a whole. */
  {
    id: "okta",
    name: "Okta event hooks",
    scheme: { kind: "token", source: { from: "header", name: "authorization" } },
    eventId: [inBody("eventId"), inBody("data.events.0.uuid")],
    eventType: [inBody("data.events.0.eventType")],
    batch: eventsAt("data.events", { eventId: [["uuid"]], eventType: [["eventType"]] }),
    secretHelp: "The Authentication secret exactly as typed at Okta, for the field Authorization.",
    whereToPaste:
      "Admin Console → Workflow → Event Hooks → Create: paste the catch URL, set Authentication field to Authorization and fill in Authentication secret.",
    docsUrl: "https://developer.okta.com/docs/concepts/event-hooks/",
    handshakes: oktaHandshakes,
    answer: {},
    answerWithinSeconds: 3,
  },
  /** Milliseconds, and a space behind the comma. */
  {
    id: "workos",
    name: "WorkOS",
    scheme: pairMac("workos-signature", { itemSeparator: ", ", unit: "ms", window: 180 }),
    eventId: [inBody("id")],
    eventType: [inBody("event")],
    secretHelp: "The endpoint's Signing Secret, used as text.",
    whereToPaste: "Dashboard → Webhooks → Create Webhook: paste the catch URL and copy the Signing Secret.",
    docsUrl: "https://workos.com/docs/events/data-syncing/webhooks",
  },
  /** While two secrets are active, each signs with a time of its own: `t=…,v1=… t=…,v1=…`. */
  {
    id: "persona",
    name: "Persona",
    scheme: {
      ...pairMac("persona-signature"),
      signature: {
        sources: [{ from: "header", name: "persona-signature" }],
        format: { type: "pairs", itemSeparator: ",", keySeparator: "=", key: "v1", groupSeparator: " " },
      },
    },
    eventId: [inBody("data.id")],
    eventType: [inBody("data.attributes.name")],
    secretHelp: "The webhook's secret (wbhsec_…), whole. It is used as text.",
    whereToPaste: "Dashboard → Webhooks → Create webhook: paste the catch URL and copy the webhook's secret.",
    docsUrl: "https://docs.withpersona.com/webhooks-best-practices",
  },
  {
    id: "onfido",
    name: "Onfido",
    scheme: bodyMac("x-sha2-signature"),
    eventId: [byContent],
    eventType: [inBody("payload.action")],
    secretHelp: "The webhook's token, as its page shows it. Not an API token.",
    whereToPaste: "Dashboard → Settings → Webhooks → Create webhook: paste the catch URL and copy the token.",
    docsUrl: "https://documentation.onfido.com/api/latest/#webhooks",
    confirmed: false,
  },
  {
    id: "checkr",
    name: "Checkr",
    scheme: bodyMac("x-checkr-signature"),
    eventId: [inBody("id")],
    eventType: [inBody("type")],
    secretHelp: "The account's API key, as it makes the signatures.",
    whereToPaste: "Dashboard → Account settings → Developer settings → Webhooks: paste the catch URL.",
    docsUrl: "https://docs.checkr.com/#section/Webhooks",
    confirmed: false,
  },
  {
    id: "supabase",
    name: "Supabase (database webhooks)",
    scheme: { kind: "bearer" },
    eventId: [inHeader("idempotency-key")],
    eventType: [inBody("type")],
    secretHelp: "The token alone, without the word Bearer.",
    whereToPaste:
      "Integrations → Database Webhooks → Create: paste the catch URL and add the HTTP header Authorization with Bearer and a long random value.",
    docsUrl: "https://supabase.com/docs/guides/database/webhooks",
    confirmed: false,
  },
];
