import { nameReceiver } from "#lib/schema/send/name-receiver.ts";

/** The title of a subscription's page: its description, or else its receiver. */
export function titleOf({
  description,
  receiverUrl,
}: {
  readonly description: string | null;
  readonly receiverUrl: string;
}): string {
  if (description !== null && description !== "") return description;
  return nameReceiver(receiverUrl);
}
