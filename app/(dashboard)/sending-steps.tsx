import { SendingChecklist } from "#components/events/sending-checklist.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { readFirstSteps } from "#lib/services/home/read-sending.ts";

/** The first steps of an account that sends, on its empty pages. */
export async function SendingStepsHere({ accountId }: { accountId: string }) {
  return <SendingChecklist steps={await readFirstSteps(await pageContext(), accountId)} />;
}
