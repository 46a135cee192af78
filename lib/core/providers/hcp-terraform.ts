import { bodyMac } from "./shapes/mac.ts";
import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl =
  "https://developer.hashicorp.com/terraform/cloud-docs/api-docs/notification-configurations";

/**
 * Compared with
 * https://developer.hashicorp.com/terraform/cloud-docs/api-docs/notification-configurations on
 * 2026-11-28.
 */
export const hcpTerraform: Provider = {
  id: "hcp-terraform",
  name: "HCP Terraform (Terraform Cloud)",
  scheme: bodyMac("x-tfe-notification-signature", { hash: "sha512" }),
  eventId: [
    allOf(
      inBody("run_id"),
      inBody("notifications.0.trigger"),
      inBody("notifications.0.run_status"),
      inBody("notifications.0.run_updated_at"),
    ),
    allOf(inBody("trigger"), inBody("details.new_assessment_result.id")),
    { ...byContent, withinSeconds: 60 },
  ],
  identity: {
    why:
      "A run sends several notifications, each with its trigger, status, and time. " +
      "An assessment result has its own id. Verifications have neither.",
    source: docsUrl,
  },
  eventType: [inBody("notifications.0.trigger"), inBody("trigger")],
  secretHelp: "The Token that you entered in the notification. Without one, nothing is signed.",
  isSecretChosen: true,
  whereToPaste:
    "Workspace → Settings → Notifications → Create a notification: " +
    "choose Webhook, paste the catch URL, and fill in Token.",
  docsUrl,
  proof: { describedBy: "provider" },
};
