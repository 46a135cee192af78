"use client";

import { useRouter } from "next/navigation";
import { ConfirmButton } from "#components/ui/feedback/confirm-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DeleteEventTypeProps = {
  readonly name: string;
  readonly remove: () => Promise<CommandResult<null>>;
};

/** Removes the event type from the catalog. It can still be published. */
export function DeleteEventType({ name, remove }: DeleteEventTypeProps) {
  const router = useRouter();

  async function run() {
    const result = await remove();
    if (!result.ok) return result;
    toast(`${safeText(name)} is deleted.`);
    router.push("/event-types");
    return result;
  }

  return (
    <ConfirmButton
      label="Delete"
      ariaLabel="Delete event type"
      title={`Delete ${safeText(name)}?`}
      keepLabel="Cancel"
      confirmLabel="Delete event type"
      run={run}
    >
      <p>
        Its description, schema, and example are deleted. Events of this type can still be
        published, and are no longer checked.
      </p>
    </ConfirmButton>
  );
}
