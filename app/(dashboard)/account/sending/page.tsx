import type { Metadata } from "next";
import { AccountHeader } from "#components/account/account-header.tsx";
import { SendingForm } from "#components/account/sending-form.tsx";
import { readSenderSettings } from "#lib/db/accounts/sender-settings.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { saveSendingCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Sending" };

export default async function SendingPage() {
  const { accountId, accountName, accountSlug } = await requireSession();
  const { db, env } = serverContext();
  const settings = await readSenderSettings(db, accountId);
  return (
    <>
      <AccountHeader current="sending" />
      <div className="max-w-4xl">
        <SendingForm
          settings={settings}
          accountName={accountName}
          catalogUrl={`${env.publicUrl}/catalog/${accountSlug}`}
          save={saveSendingCommand}
        />
      </div>
    </>
  );
}
