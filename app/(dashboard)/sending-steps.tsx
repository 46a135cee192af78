import { SendingChecklist } from "#components/events/sending-checklist.tsx";
import { readFirstSteps } from "#lib/services/home.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";

/** The first steps of an account that sends, on its empty pages. */
export async function SendingStepsHere() {
  return <SendingChecklist steps={await readFirstSteps(await pageContext(), {})} />;
}
