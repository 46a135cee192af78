import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleContent } from "./shapes/sample-event.ts";

/**
 * The claim data of the token:
 * https://dev.wix.com/docs/build-apps/developer-tools/apis-and-webhooks/webhooks
 */
function approved(fresh: Fresh, id: string): SampleContent {
  const data = {
    id,
    entityFqdn: "wix.ecom.v1.order",
    slug: "approved",
    entityId: "8f1c8f4a-0d9c-4e0e-9f0b-3b8f6c1e5a10",
    eventTime: fresh.iso,
  };
  return {
    json: {
      data: JSON.stringify(data),
      instanceId: "d19b0b3d-5d0a-4a7f-8d6c-5b1a4d9f3c21",
      eventType: "wix.ecom.v1.order_approved",
    },
  };
}

/** Two events about the same order. A further try is another token with the same data. */
export const wixConsecutive: Consecutive = (fresh) => ({
  two: [approved(fresh, fresh.uuid()), approved(fresh, fresh.uuid())],
});
