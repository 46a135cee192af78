import type { Fresh } from "./shapes/fresh.ts";
import type { SampleEvents } from "./shapes/sample-event.ts";

const recipient = "jenny.rosen@example.com";

/** https://postmarkapp.com/developer/webhooks/webhooks-overview */
export const postmarkSamples: SampleEvents = [
  {
    type: "Delivery",
    make: (fresh) => ({
      json: {
        ...postmarkMessage(fresh, "Delivery"),
        Recipient: recipient,
        DeliveredAt: fresh.iso,
        Details: "250 OK",
      },
    }),
  },
  {
    type: "Bounce",
    make: (fresh) => ({
      json: {
        ...postmarkMessage(fresh, "Bounce"),
        ID: fresh.digits(9),
        Type: "HardBounce",
        TypeCode: 1,
        Name: "Hard bounce",
        Description: "The server was unable to deliver your message.",
        Details: "550 5.1.1 No such user",
        Email: recipient,
        From: "shop@example.com",
        BouncedAt: fresh.iso,
        Inactive: true,
        CanActivate: true,
        Subject: "Your order 1042",
      },
    }),
  },
];

function postmarkMessage(fresh: Fresh, recordType: string): object {
  return {
    RecordType: recordType,
    ServerID: 23,
    MessageStream: "outbound",
    MessageID: fresh.uuid(),
    Tag: "receipt",
    Metadata: { order_id: "1042" },
  };
}
