import type { Metadata } from "next";
import { AuditFilters } from "#components/audit/audit-filters.tsx";
import { AuditList } from "#components/audit/audit-list.tsx";
import { ReceiverButton } from "#components/audit/receiver-button.tsx";
import { ReceiverCard } from "#components/audit/receiver-card.tsx";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { NoMatches } from "#components/lists/list-state.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { describeNeededRole, isAllowed } from "#lib/schema/account/permissions.ts";
import {
  deleteAuditReceiverCommand,
  rotateAuditSecretCommand,
  saveAuditReceiverCommand,
} from "#lib/web/account/commands.ts";
import { readAuditPage } from "#lib/web/audit/read-audit-page.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";

export const metadata: Metadata = { title: "Audit log" };

type AuditPageProps = { readonly searchParams: Promise<SearchParams> };

export default async function AuditPage({ searchParams }: AuditPageProps) {
  const session = await requireSession();
  if (!isAllowed(session.role, "audit:read"))
    return (
      <>
        <PageHeader title="Audit log" />
        <Notice>{describeNeededRole("audit:read")}</Notice>
      </>
    );
  const page = await readAuditPage(await pageContext(), await searchParams);
  const { nowMs, values, problems, isFiltered, entries, receiver, links } = page;
  return (
    <>
      <PageHeader title="Audit log" lead="Who changed what in this account, newest first.">
        <div className="flex flex-wrap gap-2">
          <ReceiverButton
            receiverUrl={receiver?.receiverUrl ?? null}
            save={saveAuditReceiverCommand}
          />
          {entries.length > 0 && <ExportMenu list="audit" values={values} />}
        </div>
      </PageHeader>
      {receiver !== null && (
        <ReceiverCard
          receiver={receiver}
          nowMs={nowMs}
          rotate={rotateAuditSecretCommand}
          remove={deleteAuditReceiverCommand}
        />
      )}
      <AuditFilters values={values} problems={problems} isFiltered={isFiltered} />
      {entries.length > 0 && <AuditList entries={entries} nowMs={nowMs} />}
      {entries.length === 0 && isFiltered && <NoMatches what="entries" />}
      {entries.length === 0 && !isFiltered && (
        <EmptyState title="Nothing has changed yet">
          <p>
            Changes to hooks, actions, people, and settings show up here, with what they were
            before.
          </p>
        </EmptyState>
      )}
      <PageLinks links={links} />
    </>
  );
}
