import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.expo.dev/eas/webhooks/ */
export const expoSamples: SampleEvents = [
  { type: "finished", make: (fresh) => build(fresh, "finished") },
  { type: "errored", make: (fresh) => build(fresh, "errored") },
];

function build(fresh: Fresh, status: string): SampleContent {
  const id = fresh.uuid();
  return {
    json: {
      id,
      accountName: "acme",
      projectName: "orders",
      buildDetailsPageUrl: `https://expo.dev/accounts/acme/projects/orders/builds/${id}`,
      appId: "bc0a82de-65a5-4497-ad86-54ff1f53edf7",
      initiatingUserId: "d1041496-1a59-423a-8caf-479bb978203a",
      cancelingUserId: null,
      platform: "android",
      status,
      artifacts: { buildUrl: "https://expo.dev/artifacts/eas/example.aab" },
      metadata: { appName: "Orders", appVersion: "1.4.0", buildProfile: "production" },
      createdAt: fresh.iso,
      enqueuedAt: fresh.iso,
      completedAt: fresh.iso,
      updatedAt: fresh.iso,
      priority: "high",
    },
  };
}
