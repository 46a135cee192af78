import { allOf, byContent, inBody } from "./shapes/places.ts";
import type { Provider } from "./shapes/provider.ts";

/** AssemblyAI doesn't sign. It sends one header of your choice; this name is ours. */
export const assemblyai: Provider = {
  id: "assemblyai",
  name: "AssemblyAI",
  scheme: { kind: "token", source: { from: "header", name: "x-assemblyai-secret" } },
  eventId: [allOf(inBody("transcript_id"), inBody("status")), byContent],
  identity: {
    why: "A transcript reaches each status once. What has no transcript id holds the URL of its file.",
    source: "https://www.assemblyai.com/docs/deployment/webhooks",
  },
  eventType: [inBody("status")],
  secretHelp: "The webhook_auth_header_value that you send with the request.",
  isSecretChosen: true,
  whereToPaste:
    "Request the transcript with the catch URL as webhook_url, X-AssemblyAI-Secret as " +
    "webhook_auth_header_name, and a value of your own as webhook_auth_header_value.",
  docsUrl: "https://www.assemblyai.com/docs/deployment/webhooks",
  proof: { describedBy: "provider" },
  respondWithinSeconds: 10,
  marks: {
    body: [{ path: "transcript_id", is: /./, why: "its body has a transcript_id" }],
  },
};
