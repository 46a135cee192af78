import type { Links } from "#components/lists/page-links.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";

type ShownList = {
  readonly values: { readonly since: string };
  readonly problems: Readonly<Record<string, string>>;
  readonly isFiltered: boolean;
  readonly links: Links;
};

/**
 * `isEmpty`: the account has nothing to list. `isLive`: new items appear on the page.
 *
 * @param count of the items on this page
 */
export function readListState({ values, problems, isFiltered, links }: ShownList, count: number) {
  const isFirstPage = links.newest === null;
  return {
    isEmpty: count === 0 && !isFiltered && isFirstPage && links.older === null,
    isLive: isFirstPage && values.since !== "between" && Object.keys(problems).length === 0,
  };
}

/** The text of a page without items, under filters. */
export function NoMatches({ what }: { what: string }) {
  return (
    <EmptyState title={`No matching ${what}`}>
      <p>Change the filters above, or clear them.</p>
    </EmptyState>
  );
}
