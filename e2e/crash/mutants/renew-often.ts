import { replaceModule } from "./replace-module.ts";

/**
 * Renews leases each `everyMs`, for `leaseMs`, both from its URL's query, so that a minute has a
 * day's renewals.
 */
const { searchParams } = new URL(import.meta.url);
const limits = {
  renewEveryMs: Number(searchParams.get("everyMs")),
  leaseMs: Number(searchParams.get("leaseMs")),
};

replaceModule(
  "/lib/worker/worker-limits.ts",
  `
  import { defaultLimits as genuine } from "./worker-limits.ts?genuine";
  export const defaultLimits = { ...genuine, ...${JSON.stringify(limits)} };`,
);
