import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

const recipient = "jenny.rosen@example.com";

/** https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event */
export const sendgridSamples: SampleEvents = [
  {
    type: "delivered",
    make: (fresh) => ({ json: [sendgridEvent(fresh, "delivered"), sendgridEvent(fresh, "open")] }),
  },
  { type: "click", make: (fresh) => ({ json: [sendgridEvent(fresh, "click")] }) },
  { type: "bounce", make: (fresh) => ({ json: [sendgridEvent(fresh, "bounce")] }) },
];

function sendgridEvent(fresh: Fresh, event: string): object {
  const details: Record<string, object> = {
    delivered: { response: "250 OK" },
    open: { useragent: "Mozilla/5.0", ip: "192.0.2.10", sg_machine_open: false },
    click: {
      useragent: "Mozilla/5.0",
      ip: "192.0.2.10",
      url: "https://shop.example.com/orders/1042",
      url_offset: { index: 0, type: "html" },
    },
    bounce: {
      reason: "550 5.1.1 No such user",
      status: "5.1.1",
      type: "bounce",
      bounce_classification: "Invalid Address",
    },
  };
  return {
    email: recipient,
    timestamp: fresh.seconds,
    "smtp-id": `<${fresh.text(22)}@example.com>`,
    event,
    category: ["receipt"],
    sg_event_id: fresh.text(22),
    sg_message_id: `${fresh.text(22)}.filterdrecv-${fresh.hex(10)}.0`,
    ...details[event],
  };
}
