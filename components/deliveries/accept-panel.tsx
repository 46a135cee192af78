"use client";

import { Allowed } from "#components/permissions/role.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { Card } from "#components/ui/layout/card.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type Acceptance =
  | { readonly kind: "acceptable" }
  | { readonly kind: "notStored" | "rejected"; readonly detail: string };

type AcceptPanelProps = {
  readonly acceptance: Acceptance;
  readonly accept: () => Promise<CommandResult<"accepted" | "duplicate">>;
};

/** Accepts a rejected delivery that verifies now, without a new request. */
export function AcceptPanel({ acceptance, accept }: AcceptPanelProps) {
  // The diagnosis below explains why it is still rejected.
  if (acceptance.kind === "rejected") return null;
  if (acceptance.kind === "notStored") return <Notice>{acceptance.detail}</Notice>;

  async function run() {
    const result = await accept();
    if (result.ok)
      toast(
        result.value === "accepted"
          ? "Accepted. Its actions run now."
          : "This event arrived before. The delivery is now a duplicate and runs no actions.",
      );
    return result;
  }

  return (
    <Card className="flex flex-wrap items-center gap-x-6 gap-y-3 p-5">
      <div className="grid min-w-0 flex-1 basis-64 gap-1">
        <h2 className="font-semibold">This delivery can be verified now</h2>
        <p className="max-w-prose text-sm text-muted-foreground">
          It matches the hook's current settings. Accept it to run the hook's actions on it; the
          provider doesn't need to send it again.
        </p>
      </div>
      <Allowed to="deliveries:write">
        <CommandButton look="primary" run={run}>
          Accept and run
        </CommandButton>
      </Allowed>
    </Card>
  );
}
