import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Compared with https://docs.commercelayer.io/developers/callbacks-security on 2026-11-28. */
export const commerceLayer: Provider = {
  id: "commerce-layer",
  name: "Commerce Layer",
  scheme: bodyMac("x-commercelayer-signature", { encoding: "base64" }),
  eventId: [{ ...allOf(inHeader("x-commercelayer-topic"), byContent), withinSeconds: 86_400 }],
  identity: {
    why:
      "The body is the resource, with the time of its last update but without " +
      "an id of the event. Topic and body are one event for a day.",
    source: "https://docs.commercelayer.io/developers/real-time-webhooks",
  },
  eventType: [inHeader("x-commercelayer-topic")],
  secretHelp: "The shared_secret of the webhook. Not the secret of an API client.",
  whereToPaste:
    "Dashboard → Settings → Webhooks, or POST /api/webhooks with the catch " +
    "URL as callback_url; the webhook shows its shared secret.",
  docsUrl: "https://docs.commercelayer.io/core/real-time-webhooks",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 5,
};
