import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://www.mongodb.com/docs/atlas/tutorial/webhook-integration/ */
export const mongodbAtlasSamples: SampleEvents = [
  { type: "alert.open", make: (fresh) => alert(fresh, "alert.open", fresh.hex(24)) },
  { type: "alert.close", make: (fresh) => alert(fresh, "alert.close", fresh.hex(24)) },
];

function alert(fresh: Fresh, event: string, id: string): SampleContent {
  return {
    headers: { "x-mms-event": event },
    json: {
      id,
      groupId: "5f5a3e2c9d1b8a0012345678",
      alertConfigId: "5f5a3e2c9d1b8a0087654321",
      eventTypeName: "NO_PRIMARY",
      status: event === "alert.close" ? "CLOSED" : "OPEN",
      created: fresh.isoSeconds,
      updated: fresh.isoSeconds,
      clusterName: "orders",
      replicaSetName: "atlas-orders-shard-0",
    },
  };
}
