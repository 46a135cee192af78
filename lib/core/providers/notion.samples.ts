import type { Fresh } from "./shapes/fresh.ts";
import type { SampleContent, SampleEvents } from "./shapes/sample-event.ts";

/** https://developers.notion.com/reference/webhooks-events-delivery */
export const notionSamples: SampleEvents = [
  { type: "page.created", make: (fresh) => notionEvent(fresh, "page.created") },
  { type: "page.content_updated", make: (fresh) => notionEvent(fresh, "page.content_updated") },
];

function notionEvent(fresh: Fresh, type: string): SampleContent {
  return {
    json: {
      id: fresh.uuid(),
      timestamp: fresh.iso,
      workspace_id: "13950b26-c203-4f3b-b97d-93ec06319565",
      workspace_name: "Example",
      subscription_id: "29d75c0d-5546-4414-8459-7b7a92f1fc4b",
      integration_id: "0ef2e755-4912-8096-91c1-00376a88a5ca",
      type,
      authors: [{ id: "c7c11cca-1d73-471d-9b6e-bdef51470190", type: "person" }],
      accessible_by: [],
      attempt_number: 1,
      entity: { id: fresh.uuid(), type: "page" },
      data: {
        parent: { id: fresh.uuid(), type: "page" },
        ...(type === "page.content_updated"
          ? { updated_blocks: [{ id: fresh.uuid(), type: "block" }] }
          : {}),
      },
    },
  };
}
