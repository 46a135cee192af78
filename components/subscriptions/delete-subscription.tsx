"use client";

import { DeleteButton } from "#components/ui/feedback/delete-button.tsx";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type DeleteSubscriptionProps = {
  readonly name: string;
  readonly remove: () => Promise<CommandResult<null>>;
  /** The page to open afterwards. */
  readonly listPath?: string;
};

/** Asks for confirmation, because queued sends are canceled too. */
export function DeleteSubscription({
  name,
  remove,
  listPath = "/subscriptions",
}: DeleteSubscriptionProps) {
  return (
    <DeleteButton what="subscription" name={name} remove={remove} listPath={listPath}>
      It gets no more events, sends in the queue are canceled, and its secrets are permanently
      deleted. Its past sends aren't shown any more.
    </DeleteButton>
  );
}
