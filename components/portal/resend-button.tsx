"use client";

import { useRouter } from "next/navigation";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ResendButtonProps = {
  readonly base: string;
  /** The send whose event is sent again. */
  readonly sendId: string;
  readonly resend: () => Promise<CommandResult<{ readonly runId: string }>>;
};

/** Sends the event again and shows the new send. */
export function ResendButton({ base, sendId, resend }: ResendButtonProps) {
  const router = useRouter();

  async function run() {
    const result = await resend();
    if (result.ok) router.push(`${base}/sends/${result.value.runId}?after=${sendId}`);
    return result;
  }

  return <CommandButton run={run}>Send again</CommandButton>;
}
