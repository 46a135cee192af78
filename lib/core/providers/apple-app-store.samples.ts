import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleContent } from "./shapes/sample-event.ts";

/**
 * The claims of the token:
 * https://developer.apple.com/documentation/appstoreservernotifications/responsebodyv2decodedpayload
 */
function renewed(notificationUUID: string): SampleContent {
  return {
    json: {
      notificationType: "DID_CHANGE_RENEWAL_STATUS",
      subtype: "AUTO_RENEW_ENABLED",
      notificationUUID,
      data: { bundleVersion: "1", status: 1 },
      version: "2.0",
    },
  };
}

/** Two events about the same subscription. A further try may have another signedDate. */
export const appleAppStoreConsecutive: Consecutive = (fresh: Fresh) => ({
  two: [renewed(fresh.uuid()), renewed(fresh.uuid())],
});
