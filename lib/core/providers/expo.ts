import { bodyMac } from "./shapes/mac.ts";
import { allOf, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://docs.expo.dev/eas/webhooks/";

/** Compared with https://docs.expo.dev/eas/webhooks/ on 2026-11-28. */
export const expo: Provider = {
  id: "expo",
  name: "Expo (EAS)",
  scheme: bodyMac("expo-signature", { hash: "sha1", prefix: "sha1=" }),
  eventId: [allOf(inBody("id"), inBody("status"))],
  identity: {
    why:
      "The id is that of the build or submission, which ends once: a repeated build " +
      "has another id. EAS sends an event again until it is accepted.",
    source: docsUrl,
  },
  eventType: [inBody("status")],
  secretHelp: "The webhook's secret, at least 16 characters, as you gave it to eas webhook:create.",
  isSecretChosen: true,
  whereToPaste: "Run eas webhook:create in the project, with the catch URL and a secret.",
  docsUrl,
  proof: { describedBy: "provider" },
};
