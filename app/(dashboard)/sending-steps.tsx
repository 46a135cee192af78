import { SendingChecklist } from "#components/events/sending-checklist.tsx";
import { readFirstSteps } from "#lib/web/home/read-sending.ts";
import { serverContext } from "#lib/web/request/server-context.ts";

/** The first steps of an account that sends, on its empty pages. */
export async function SendingStepsHere({ accountId }: { accountId: string }) {
  return <SendingChecklist steps={await readFirstSteps(serverContext(), accountId)} />;
}
