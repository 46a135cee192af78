import type { Metadata } from "next";
import { HookFilters } from "#components/hooks/hook-filters.tsx";
import { toHookRow } from "#components/hooks/hook-row.ts";
import { HookTable } from "#components/hooks/hook-table.tsx";
import { PageLink } from "#components/lists/page-links.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { ProviderPicker } from "#components/providers/provider-picker.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  deleteHookCommand,
  readHookContentsCommand,
  renameHookCommand,
  setHookStatusCommand,
} from "#lib/web/hooks/commands.ts";
import { readHookList } from "#lib/web/hooks/read-hook-list.ts";
import { listProviderChoices } from "#lib/web/providers/list-provider-choices.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { ManagedRows } from "../managed-here.tsx";

export const metadata: Metadata = { title: "Hooks" };

export default async function HooksPage({ searchParams }: { searchParams: Promise<SearchParams> }) {
  const { hooks, total, found, values, nowMs, newer, older, isCut } = await readHookList(
    await pageContext(),
    await searchParams,
  );
  if (total === 0) {
    return (
      <>
        <PageHeader
          title="Hooks"
          lead="A hook gives you a URL for one provider. Where do the deliveries come from?"
        />
        <Restricted to="hooks:write">
          <ProviderPicker providers={listProviderChoices()} to="/hooks/new?from=" />
        </Restricted>
      </>
    );
  }
  return (
    <>
      <PageHeader title="Hooks" lead="Failing hooks first, then the most recent deliveries.">
        <Allowed to="hooks:write">
          <Link href="/hooks/new" className={buttonClasses()}>
            New hook
          </Link>
        </Allowed>
      </PageHeader>
      <HookFilters values={values} />
      {isCut && (
        <Notice tone="caution">
          Only the newest {total.toLocaleString("en")} hooks are listed.
        </Notice>
      )}
      {hooks.length === 0 ? (
        <EmptyState title="No matching hooks">
          <p>Change the filters above, or clear them.</p>
        </EmptyState>
      ) : (
        <ManagedRows kind="hook" rows={hooks}>
          <HookTable
            rows={hooks.map(toHookRow)}
            nowMs={nowMs}
            rename={renameHookCommand}
            setStatus={setHookStatusCommand}
            deleteHook={deleteHookCommand}
            readContents={readHookContentsCommand}
          />
        </ManagedRows>
      )}
      <nav
        aria-label="Pages"
        className="flex flex-wrap items-center justify-end gap-2 text-sm text-muted-foreground"
      >
        <span className="mr-auto tabular-nums">
          {found.toLocaleString("en")} {found === 1 ? "hook" : "hooks"}
        </span>
        <PageLink href={newer}>Back</PageLink>
        <PageLink href={older}>More</PageLink>
      </nav>
    </>
  );
}
