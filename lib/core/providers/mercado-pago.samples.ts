import type { Consecutive } from "./shapes/sample-event.ts";

/** Two events about the same object. */
export const mercadoPagoConsecutive: Consecutive = (fresh) => {
  const event = () => ({ json: { id: fresh.uuid(), action: "example.updated" } });
  return { two: [event(), event()] };
};
