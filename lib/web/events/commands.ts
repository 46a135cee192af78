"use server";

import { createPublishToken } from "#lib/services/account/api-tokens.ts";
import { previewEvent, publishEvent } from "#lib/services/events/publish-event.ts";
import { resendEvent } from "#lib/services/events/resend-event.ts";
import { ask, askReader, change } from "#lib/web/auth/run-service.ts";
import { readArrivedEvent, readSentEvent } from "#lib/web/events/read-event-page.ts";
import { readExample, viewPreview } from "#lib/web/events/read-send-form.ts";

/** Publishes the body of `POST /events`. The page stays, because it shows what the event reached. */
export const publishEventCommand = ask(publishEvent, ["body"]);
/** Tells what publishing the body of `POST /events` would do. */
export const previewEventCommand = ask(previewEvent, ["body"], viewPreview);
/** The catalog's example of a type, or something in its place. */
export const readExampleCommand = askReader(readExample);
export const readSentEventCommand = askReader(readSentEvent);
export const readArrivedEventCommand = askReader(readArrivedEvent);

/** Sends an event again. Returns the number of queued sends. */
export const resendEventCommand = change(resendEvent, ["id", "onlyFailed"], (runs) => runs.length);
/** Sends an event again to one subscription. */
export const resendToCommand = change(resendEvent, [
  "id",
  (subscriptionId: string) => ({ subscriptionIds: [subscriptionId] }),
]);

/** Creates a token for the command that publishes the first event. */
export const createPublishTokenCommand = ask(createPublishToken, []);
