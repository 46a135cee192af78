/** What somebody looks at: deliveries of one hook, or of all, of which the newest is `afterId`. */
export type Watched = { readonly hookId: string | null; readonly afterId: string };

/** `isMore`: there may be more than were looked at. */
export type News = { readonly count: number; readonly isMore: boolean };

/** How many of an account's newest deliveries, newest first, somebody has not seen. Ids rise with time. */
export function countNews(
  newest: readonly { readonly id: string; readonly hookId: string }[],
  { hookId, afterId }: Watched,
): News {
  const unseen = newest.filter(({ id }) => id > afterId);
  const count = unseen.filter((delivery) => hookId === null || delivery.hookId === hookId).length;
  return { count, isMore: count > 0 && unseen.length === newest.length && newest.length >= 100 };
}
