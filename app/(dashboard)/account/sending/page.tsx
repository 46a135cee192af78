import type { Metadata } from "next";
import { SendingForm } from "#components/account/sending-form.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { readSendingPage } from "#lib/web/account/page.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { saveSendingCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Sending" };

export default async function SendingPage() {
  const session = await requireSession();
  const { settings, catalogUrl } = await readSendingPage(await pageContext(), session);
  return (
    <>
      <PageHeader title="Sending" />
      <Restricted to="account:write">
        <SendingForm
          settings={settings}
          accountName={session.accountName}
          catalogUrl={catalogUrl}
          save={saveSendingCommand}
        />
      </Restricted>
    </>
  );
}
