import { SendEvent } from "#components/events/send-event.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  createPublishTokenCommand,
  previewEventCommand,
  publishEventCommand,
  readArrivedEventCommand,
  readExampleCommand,
  readSentEventCommand,
} from "#lib/web/events/commands.ts";
import { readSendForm } from "#lib/web/events/read-send-form.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { createSubscriptionCommand } from "#lib/web/subscriptions/commands.ts";

/** The form that sends an event, on the empty list and on a page of its own. */
export async function SendEventHere({ params }: { params: SearchParams }) {
  const form = await readSendForm(await pageContext(), params);
  return (
    <SendEvent
      {...form}
      readExample={readExampleCommand}
      preview={previewEventCommand}
      publish={publishEventCommand}
      readSent={readSentEventCommand}
      createSubscription={createSubscriptionCommand}
      createToken={createPublishTokenCommand}
      readArrived={readArrivedEventCommand}
    />
  );
}
