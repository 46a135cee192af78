/** The title of a subscription: its description, or else the receiver's host. */
export function titleOf({
  description,
  receiverUrl,
}: {
  readonly description: string | null;
  readonly receiverUrl: string;
}): string {
  if (description !== null && description !== "") return description;
  return URL.parse(receiverUrl)?.host ?? receiverUrl;
}
