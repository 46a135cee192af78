import type { Metadata } from "next";
import { UsageTable } from "#components/account/usage-table.tsx";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { TabLinks } from "#components/ui/layout/tab-links.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { readUsagePage } from "#lib/web/usage/read-usage.ts";

export const metadata: Metadata = { title: "Usage" };

type UsagePageProps = { readonly searchParams: Promise<SearchParams> };

export default async function UsagePage({ searchParams }: UsagePageProps) {
  const page = await readUsagePage(await pageContext(), await searchParams);
  const { by, rows, values, links, groups, times, only, everyone } = page;
  const [problem] = Object.values(page.problems);
  return (
    <>
      <PageHeader title="Usage" lead="What this account received, published, and called.">
        {rows.length > 0 && <ExportMenu list="usage" values={values} />}
      </PageHeader>
      <div className="grid grid-cols-1 gap-4">
        <TabLinks label="Usage" links={groups} />
        <nav aria-label="Time" className="flex flex-wrap gap-x-4 gap-y-1 text-sm">
          {times.map(({ href, name, isCurrent }) => (
            <Link
              key={name}
              href={href}
              scroll={false}
              aria-current={isCurrent ? "true" : undefined}
              className={isCurrent ? "font-medium" : "text-muted-foreground hover:text-foreground"}
            >
              {name}
            </Link>
          ))}
        </nav>
        {only !== null && (
          <p className="text-sm text-muted-foreground">
            Only <code className="font-mono text-xs wrap-anywhere">{safeText(only)}</code>.{" "}
            <Link href={everyone} className="underline underline-offset-4">
              Show everything
            </Link>
          </p>
        )}
        {problem !== undefined && <Notice>{problem}</Notice>}
        {rows.length > 0 && (
          <UsageTable by={by} rows={rows} isAll={links.older === null && links.newest === null} />
        )}
        {rows.length === 0 && problem === undefined && (
          <EmptyState title="Nothing in this time">
            <p>Deliveries, events, and calls are counted here by day, hook, and recipient.</p>
          </EmptyState>
        )}
        <PageLinks links={links} />
      </div>
    </>
  );
}
