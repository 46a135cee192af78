import type { Metadata } from "next";
import { ExportMenu } from "#components/lists/export-menu.tsx";
import { FilterForm } from "#components/lists/filter-form.tsx";
import { ListKeys } from "#components/lists/list-keys.tsx";
import { NoMatches, readListState } from "#components/lists/list-state.tsx";
import { PageLinks } from "#components/lists/page-links.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { RecipientDialog } from "#components/recipients/recipient-form.tsx";
import { RecipientTable } from "#components/recipients/recipient-table.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { EmptyState } from "#components/ui/status/empty-state.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { saveRecipientCommand } from "#lib/web/recipients/commands.ts";
import { readRecipientList } from "#lib/web/recipients/read-recipients.ts";
import type { SearchParams } from "#lib/web/request/list-query.ts";
import { ManagedRows } from "../managed-here.tsx";
import { SendingStepsHere } from "../sending-steps.tsx";

export const metadata: Metadata = { title: "Recipients" };

export default async function RecipientsPage({
  searchParams,
}: {
  searchParams: Promise<SearchParams>;
}) {
  const list = await readRecipientList(await pageContext(), await searchParams);
  const { recipients, values, problems, isFiltered, links, nowMs } = list;
  const { isEmpty } = readListState(list, recipients.length);
  const create = (
    <Allowed to="subscriptions:write">
      <RecipientDialog
        label="New recipient"
        look="primary"
        recipient={null}
        save={saveRecipientCommand}
      />
    </Allowed>
  );
  return (
    <>
      <PageHeader title="Recipients">
        {!isEmpty && (
          <div className="flex flex-wrap items-center gap-2">
            <ExportMenu list="recipients" values={values} />
            {create}
          </div>
        )}
      </PageHeader>
      {isEmpty ? (
        <>
          <EmptyState title="No recipients yet">
            <p>
              A recipient is a customer of yours. Its subscriptions get only events that you publish
              for it, and its own people can manage them in the portal.
            </p>
            {create}
          </EmptyState>
          <SendingStepsHere />
        </>
      ) : (
        <div className="grid grid-cols-1 gap-4">
          <ListKeys />
          <FilterForm
            values={values}
            problems={problems}
            path="/recipients"
            isFiltered={isFiltered}
            label="Recipients"
            searches="Id or name"
          />
          {recipients.length > 0 ? (
            <ManagedRows kind="recipient" rows={recipients}>
              <RecipientTable rows={recipients} nowMs={nowMs} />
            </ManagedRows>
          ) : (
            <NoMatches what="recipients" />
          )}
          <PageLinks links={links} />
        </div>
      )}
    </>
  );
}
