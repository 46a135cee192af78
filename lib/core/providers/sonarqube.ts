import { bodyMac } from "./shapes/mac.ts";
import { byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

const docsUrl = "https://docs.sonarsource.com/sonarqube-server/discovering/integrations/webhooks";

/**
 * Compared with
 * https://docs.sonarsource.com/sonarqube-server/instance-administration/integrations/webhooks on
 * 2026-11-28.
 */
export const sonarqube: Provider = {
  id: "sonarqube",
  name: "SonarQube",
  scheme: bodyMac("x-sonar-webhook-hmac-sha256"),
  eventId: [byContent],
  identity: {
    why:
      "taskId is that of an analysis, whose quality gate may change " +
      "later. The content has the task and the time of the change. A " +
      "project's and a global webhook send the same content.",
    source: docsUrl,
  },
  eventType: [inBody("qualityGate.status")],
  secretHelp: "The Secret that you entered in the webhook.",
  isSecretChosen: true,
  whereToPaste:
    "Project Settings (or Administration → Configuration) → Webhooks → Create: paste the catch URL and fill in Secret.",
  docsUrl,
  proof: { describedBy: "provider" },
  respondWithinSeconds: 10,
  marks: {
    body: [
      { path: "qualityGate.status", is: /^(?:OK|WARN|ERROR)$/, why: "its body has a quality gate" },
    ],
  },
};
