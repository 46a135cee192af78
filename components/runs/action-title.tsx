import type { ReactNode } from "react";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";

type ActionTitleProps = {
  /** Null: the action was deleted. */
  readonly action: { readonly id: string; readonly name: string } | null;
  /** The delivery for trying the action in the editor. */
  readonly deliveryId: string;
  /** The state of the action. */
  readonly children: ReactNode;
};

/** The title of an action's step in a delivery's timeline. */
export function ActionTitle({ action, deliveryId, children }: ActionTitleProps) {
  return (
    <span className="flex flex-wrap items-center gap-2">
      {action === null ? (
        deletedAction
      ) : (
        <Link
          href={`/actions/${action.id}?delivery=${deliveryId}`}
          className="min-w-0 underline-offset-4 hover:underline"
        >
          {safeText(action.name)}
        </Link>
      )}
      {children}
    </span>
  );
}

export const deletedAction = "Deleted action";
