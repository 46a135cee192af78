import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

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
