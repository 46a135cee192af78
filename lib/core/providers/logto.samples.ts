import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.logto.io/developers/webhooks/webhooks-request */
export const logtoSamples: SampleEvents = [
  { type: "PostSignIn", make: (fresh) => signIn(fresh.text(21), fresh.iso) },
];

function signIn(sessionId: string, createdAt: string): SampleContent {
  return {
    json: {
      event: "PostSignIn",
      hookId: "o0fzx3wp9gs9n8ouycbfc",
      createdAt,
      userAgent: "Chrome 130.0.0 / Mac OS X",
      sessionId,
      userIp: "203.0.113.7",
      userId: "bqi6a7nlmnds",
      user: { id: "bqi6a7nlmnds", username: "jenny", primaryEmail: "jenny.rosen@example.com" },
      application: { id: "spa", type: "SPA", name: "Shop" },
    },
  };
}
