import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** Compared with `handleMessage` of npm `npm-hook-receiver` on 2026-11-28. */
export const npm: Provider = {
  id: "npm",
  name: "npm hooks",
  scheme: bodyMac("x-npm-signature", { prefix: "sha256=" }),
  eventId: [byContent],
  identity: {
    why: "The body has no id, but its event's time in milliseconds, so no two events are equal.",
    source: "npm npm-hook-receiver",
  },
  eventType: [inBody("event")],
  secretHelp: "The secret that you gave npm hook add.",
  isSecretChosen: true,
  whereToPaste: "Run npm hook add with the package, the catch URL, and a secret.",
  docsUrl: "https://docs.npmjs.com/cli/v10/commands/npm-hook",
  proof: { describedBy: "provider" },
};
