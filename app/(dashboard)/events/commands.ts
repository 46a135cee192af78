"use server";

import type { ArrivedEventView } from "#components/events/arrived-event-view.ts";
import type { EventPreviewView } from "#components/events/event-reach.tsx";
import type { SentEventView } from "#components/events/sent-event.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";
import { createPublishToken } from "#lib/services/account/api-tokens.ts";
import { previewEvent, publishEvent } from "#lib/services/events/publish-event.ts";
import { resendEvent } from "#lib/services/events/resend-event.ts";
import { askReader, askService, changeByService, nothing } from "#lib/web/auth/run-service.ts";
import { readArrivedEvent, readSentEvent } from "#lib/web/events/read-event-page.ts";
import { readExample, viewPreview } from "#lib/web/events/read-send-form.ts";

/** Publishes the body of `POST /events`. The page stays, because it shows what the event reached. */
export async function publishEventCommand(body: string): Promise<CommandResult<SentEventView>> {
  return await askService(publishEvent, { body });
}

/** Tells what publishing the body of `POST /events` would do. */
export async function previewEventCommand(body: string): Promise<CommandResult<EventPreviewView>> {
  const result = await askService(previewEvent, { body });
  return result.ok ? { ok: true, value: viewPreview(result.value) } : result;
}

/** The catalog's example of a type, or something in its place. */
export async function readExampleCommand(type: string): Promise<CommandResult<string>> {
  return await askReader(readExample, type);
}

export async function readSentEventCommand(id: string): Promise<CommandResult<ArrivedEventView>> {
  return await askReader(readSentEvent, id);
}

/** Sends an event again. Returns the number of queued sends. */
export async function resendEventCommand(
  id: string,
  onlyFailed: boolean,
): Promise<CommandResult<number>> {
  return await changeByService(resendEvent, { id, onlyFailed }, (runs) => runs.length);
}

/** Sends an event again to one subscription. */
export async function resendToCommand(
  id: string,
  subscriptionId: string,
): Promise<CommandResult<null>> {
  return await changeByService(resendEvent, { id, subscriptionIds: [subscriptionId] }, nothing);
}

/** Creates a token for the command that publishes the first event. */
export async function createPublishTokenCommand(): Promise<
  CommandResult<{ readonly token: string }>
> {
  return await askService(createPublishToken, {});
}

export async function readArrivedEventCommand(
  afterId: string,
): Promise<CommandResult<ArrivedEventView | null>> {
  return await askReader(readArrivedEvent, afterId);
}
