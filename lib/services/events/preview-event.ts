import { service } from "#lib/services/frame/service.ts";
import { type CheckedEvent, checkEvent, publishedBody, readBody } from "./published-body.ts";
import { type Reach, readReach } from "./read-reach.ts";

export type EventPreview = CheckedEvent & { readonly reach: Reach };

/** Tells what publishing an event would do, without publishing it. */
export const previewEvent = service({
  permission: "events:write",
  input: publishedBody,
  run: async (context, { body }): Promise<EventPreview> => {
    const event = readBody(body);
    const { accountId } = context.actor;
    const [checked, reach] = await Promise.all([
      checkEvent(context, accountId, event),
      readReach(context.db, { accountId, ...event }),
    ]);
    return { ...checked, reach };
  },
});
