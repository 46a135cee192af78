import type { Fresh } from "./shapes/fresh.ts";
import type { Consecutive, SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://docs.documenso.com/docs/developers/webhooks */
export const documensoSamples: SampleEvents = [
  { type: "DOCUMENT_COMPLETED", make: (fresh) => completed(fresh, fresh.text(21), fresh.iso) },
];

function completed(fresh: Fresh, deliveryId: string, createdAt: string): SampleContent {
  return {
    headers: { "x-documenso-delivery-id": deliveryId },
    json: {
      deliveryId,
      event: "DOCUMENT_COMPLETED",
      payload: {
        id: 10,
        externalId: "order-1042",
        title: "Offer.pdf",
        status: "COMPLETED",
        createdAt: fresh.iso,
        completedAt: fresh.iso,
        recipients: [
          {
            id: 52,
            email: "jenny.rosen@example.com",
            name: "Jenny Rosen",
            signingStatus: "SIGNED",
          },
        ],
      },
      createdAt,
      webhookEndpoint: "https://hooks.example.com/catch",
    },
  };
}

/** Two events about the same document. A further try has another time. */
export const documensoConsecutive: Consecutive = (fresh) => {
  const [first, second] = [fresh.text(21), fresh.text(21)];
  return {
    two: [completed(fresh, first, fresh.iso), completed(fresh, second, fresh.iso)],
    again: completed(fresh, first, "2030-01-01T00:00:00.000Z"),
  };
};
