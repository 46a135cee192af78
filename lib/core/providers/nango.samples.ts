import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://nango.dev/docs/implementation-guides/platform/webhooks-from-nango */
export const nangoSamples: SampleEvents = [
  { type: "sync", make: (fresh) => ({ json: sync(fresh.uuid(), fresh.iso) }) },
  {
    type: "auth",
    make: (fresh) => ({
      json: {
        from: "nango",
        type: "auth",
        connectionId: fresh.uuid(),
        providerConfigKey: "github",
        authMode: "OAUTH2",
        provider: "github",
        environment: "DEV",
        operation: "creation",
        success: true,
      },
    }),
  },
];

function sync(connectionId: string, modifiedAfter: string): object {
  return {
    from: "nango",
    type: "sync",
    connectionId,
    providerConfigKey: "github",
    syncName: "issues",
    model: "GithubIssue",
    syncType: "INCREMENTAL",
    success: true,
    modifiedAfter,
    responseResults: { added: 3, updated: 1, deleted: 0 },
  };
}
