import type { Metadata } from "next";
import { SendingForm } from "#components/account/sending-form.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { SendingFacts } from "#components/read-only/small-facts.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { CallSources } from "#components/status/call-sources.tsx";
import { getSenderSettings } from "#lib/services/account/sender-settings.ts";
import { saveSendingCommand } from "#lib/web/account/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "Sending" };

export default async function SendingPage() {
  const session = await requireSession();
  const context = await pageContext();
  const settings = await getSenderSettings(context, {});
  const shown = {
    settings,
    accountName: session.accountName,
    catalogUrl: `${context.env.publicUrl}/catalog/${session.accountSlug}`,
  };
  return (
    <>
      <PageHeader title="Sending" />
      <Restricted to="account:write" instead={<SendingFacts {...shown} />}>
        <SendingForm {...shown} save={saveSendingCommand} />
      </Restricted>
      <CallSources addresses={context.env.egressIps} />
    </>
  );
}
