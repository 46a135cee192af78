import type { Metadata } from "next";
import { DocsFrame } from "#components/docs/docs-frame.tsx";
import { DocsResults } from "#components/docs/docs-results.tsx";
import { readDocsMenu } from "#lib/web/docs/docs-menu.ts";
import { searchDocs } from "#lib/web/docs/search-docs.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";

export const metadata: Metadata = { title: "Search the docs" };

const maxResults = 30;
const maxTextChars = 200;

export default async function DocsSearchPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const { q } = await searchParams;
  const text = (typeof q === "string" ? q : "").slice(0, maxTextChars).trim();
  const [menu, hits] = await Promise.all([readDocsMenu(), searchDocs(text, maxResults)]);
  return (
    <DocsFrame menu={menu} current={null} headings={[]} searched={text}>
      <DocsResults text={text} hits={hits} isMore={hits.length === maxResults} />
    </DocsFrame>
  );
}
