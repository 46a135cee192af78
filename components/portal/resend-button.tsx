"use client";

import { useRouter } from "next/navigation";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type ResendButtonProps = {
  readonly base: string;
  readonly resend: () => Promise<CommandResult<{ readonly runId: string }>>;
};

/** Sends the event again and shows the new send. */
export function ResendButton({ base, resend }: ResendButtonProps) {
  const router = useRouter();

  async function run() {
    const result = await resend();
    if (result.ok) router.push(`${base}/sends/${result.value.runId}`);
    return result;
  }

  return (
    <CommandButton done="Sent again." run={run}>
      Send again
    </CommandButton>
  );
}
