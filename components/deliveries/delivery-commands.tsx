"use client";

import { useRouter } from "next/navigation";
import { Suspense, useState } from "react";
import { useAllowed } from "#components/permissions/role.tsx";
import { ConfirmDialog } from "#components/ui/feedback/confirm-dialog.tsx";
import { toast } from "#components/ui/feedback/toast.ts";
import { lazyPart } from "#components/ui/lazy-part.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

// Loaded after the page: menus are an eighth of its scripts.
const DeliveryMenu = lazyPart("DeliveryMenu", () => import("./delivery-menu.tsx"));

type DeliveryCommandsProps = {
  readonly hookId: string;
  /** Null: the delivery has no body. */
  readonly rawHref: string | null;
  readonly remove: () => Promise<CommandResult<null>>;
};

/** A menu. Deleting asks for confirmation, then opens the hook, since this page is gone afterwards. */
export function DeliveryCommands({ hookId, rawHref, remove }: DeliveryCommandsProps) {
  const router = useRouter();
  const isAllowed = useAllowed("deliveries:write");
  const [isAsked, setIsAsked] = useState(false);
  if (rawHref === null && !isAllowed) return null;

  async function run() {
    const result = await remove();
    if (result.ok) {
      toast("Delivery deleted.");
      router.push(`/hooks/${hookId}`);
    }
    return result;
  }

  return (
    <>
      <Suspense fallback={<span className="size-9" />}>
        <DeliveryMenu rawHref={rawHref} remove={() => setIsAsked(true)} />
      </Suspense>
      <ConfirmDialog
        isOpen={isAsked}
        onClose={() => setIsAsked(false)}
        title="Delete this delivery?"
        keepLabel="Cancel"
        confirmLabel="Delete delivery"
        run={run}
      >
        <p>
          Its runs and their attempts are deleted too, and pending requests are canceled. If the
          same event is sent again, it still counts as a duplicate.
        </p>
      </ConfirmDialog>
    </>
  );
}
