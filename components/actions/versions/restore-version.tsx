"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

/** The keys of calls whose credentials must be entered again. */
type RestoreCommand = () => Promise<CommandResult<readonly string[]>>;

type RestoreVersionProps = {
  readonly actionId: string;
  readonly number: number;
  readonly restore: RestoreCommand;
};

/** Restores the content of a past version. */
export function RestoreVersion({ actionId, number, restore }: RestoreVersionProps) {
  const router = useRouter();

  async function run() {
    const result = await restore();
    if (!result.ok) return result;
    const missing = new URLSearchParams(result.value.map((key) => ["missing", key]));
    router.push(`/actions/${actionId}/versions${missing.size === 0 ? "" : `?${missing}`}`);
    return result;
  }

  return (
    <ConfirmButton
      label="Restore"
      look="secondary"
      title={`Restore version ${number}?`}
      keepLabel="Cancel"
      confirmLabel="Restore version"
      confirmLook="primary"
      run={run}
    >
      <p>
        New and queued runs use the restored version. It is saved as a new version, so you can go
        back. Credentials are kept for calls to the same origin.
      </p>
    </ConfirmButton>
  );
}
