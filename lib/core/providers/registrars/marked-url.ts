const parameter = "catchment";

/**
 * The URL of a webhook with a mark in its query, for providers that have no other place for one. The mark tells our
 * webhooks from those that someone else made for the same hook. `newId` tells a webhook from the one that it replaces,
 * since a provider may refuse the same URL twice.
 */
export function markUrl(
  url: string,
  { mark, newId }: { readonly mark: string; readonly newId: string },
): string {
  const marked = new URL(url);
  marked.searchParams.set(parameter, `${mark}.${newId}`);
  return marked.href;
}

/** The URL and mark that `markUrl` was given. The mark is null for a URL without one. */
export function readMarkedUrl(marked: string): {
  readonly url: string;
  readonly mark: string | null;
} {
  const url = URL.parse(marked);
  const [mark = null] = url?.searchParams.get(parameter)?.split(".") ?? [];
  if (url === null || mark === null) return { url: marked, mark: null };
  url.searchParams.delete(parameter);
  return { url: url.href, mark };
}
