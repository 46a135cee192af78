import { FirstEvent } from "#components/events/first-event.tsx";
import { readFirstEvent } from "#lib/web/events/read-first-event.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { createSubscriptionCommand } from "../subscriptions/commands.ts";
import { createPublishTokenCommand, readArrivedEventCommand } from "./commands.ts";

/** The steps to a first event, on the empty list and on a page of its own. */
export async function SendFirstEvent({ accountId }: { accountId: string }) {
  const steps = await readFirstEvent(serverContext(), accountId);
  return (
    <FirstEvent
      {...steps}
      createSubscription={createSubscriptionCommand}
      createToken={createPublishTokenCommand}
      readArrived={readArrivedEventCommand}
    />
  );
}
