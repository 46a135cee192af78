import { eventsAt } from "./shapes/events-at.ts";
import { challenge } from "./shapes/handshakes.ts";
import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody, inHeader } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/**
 * SHA-1, as Vercel's other webhooks. Only JSON is split into its events, NDJSON is one. Compared
 * with https://vercel.com/docs/drains/security on 2026-11-28.
 */
export const vercelLogDrains: Provider = {
  id: "vercel-log-drains",
  name: "Vercel (log drains)",
  scheme: bodyMac("x-vercel-signature", { hash: "sha1" }),
  eventId: [byContent],
  identity: {
    why: "Each entry of the log has its own id.",
    source: "https://vercel.com/docs/log-drains",
  },
  eventType: [inBody("0.source")],
  batch: eventsAt("", { eventId: [["id"]], eventType: [["source"]] }),
  secretHelp: "The drain's Signature Verification Secret: Edit in the list of drains shows it.",
  whereToPaste:
    "Team Settings → Drains → Add Drain: choose Logs and a custom endpoint, " +
    "paste the catch URL, choose JSON, and copy the secret.",
  docsUrl: "https://vercel.com/docs/drains/security",
  proof: { describedBy: "provider" },
  /** Not documented: receivers report that the check of a URL wants its header back. */
  handshakes: [
    {
      name: "endpoint verification",
      methods: ["GET", "POST"],
      when: [inHeader("x-vercel-verify"), { ...inHeader("x-vercel-signature"), isAbsent: true }],
      proof: "none",
      reply: {
        kind: "respond",
        challenge: inHeader("x-vercel-verify"),
        challengePattern: /^[A-Za-z0-9_-]{1,128}$/,
        headers: { "x-vercel-verify": [challenge] },
      },
    },
  ],
  marks: {
    body: [{ path: "0.deploymentId", is: /^dpl_/, why: "its entries have a deploymentId" }],
  },
};
