import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

/** https://smartcar.com/docs/integrations/webhooks/overview */
export const smartcarSamples: SampleEvents = [
  { type: "VEHICLE_STATE", make: (fresh) => ({ json: vehicleState(fresh, fresh.uuid()) }) },
];

function vehicleState(fresh: Fresh, eventId: string): object {
  return {
    eventId,
    eventType: "VEHICLE_STATE",
    data: {
      user: { id: "6f6d7e1c-example" },
      vehicle: { id: "36ab27d0-example", make: "TESLA", model: "Model 3", year: 2025 },
      signals: [{ code: "tractionbattery-stateofcharge", value: 78, unit: "percent" }],
    },
    triggers: [{ type: "SIGNAL_UPDATED", signal: { code: "tractionbattery-stateofcharge" } }],
    meta: {
      version: "4.0",
      webhookId: "wh_example",
      webhookName: "Fleet",
      deliveryId: fresh.uuid(),
      deliveredAt: fresh.nowMs,
      mode: "TEST",
    },
  };
}
