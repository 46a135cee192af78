import { createPublicKey } from "node:crypto";
import { EventWebhook } from "@sendgrid/eventwebhook";
import { verifyKey } from "discord-interactions";

import type { ProviderPackage } from "./provider-package.ts";

/** Providers that sign with a private key. */
export const publicKeyPackages: Readonly<Record<string, ProviderPackage>> = {
  discord: {
    name: "discord-interactions",
    accepts: ({ text, headers, secret }) => {
      const [signature = "", time = ""] = [
        headers["x-signature-ed25519"],
        headers["x-signature-timestamp"],
      ];
      return verifyKey(text, signature, time, spki(secret).subarray(-32).toString("hex"));
    },
  },
  sendgrid: {
    name: "@sendgrid/eventwebhook",
    accepts: ({ text, headers, secret }) => {
      const webhook = new EventWebhook();
      const key = webhook.convertPublicKeyToECDSA(spki(secret).toString("base64"));
      const [signature = "", time = ""] = ["signature", "timestamp"].map(
        (name) => headers[`x-twilio-email-event-webhook-${name}`],
      );
      return webhook.verifySignature(key, text, signature, time);
    },
  },
};

function spki(pem: string): Buffer {
  return createPublicKey(pem).export({ type: "spki", format: "der" });
}
