import type { Metadata } from "next";
import { AccountNameForm } from "#components/account/account-name-form.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { renameAccountCommand } from "./commands.ts";

export const metadata: Metadata = { title: "General" };

export default async function GeneralPage() {
  const session = await requireSession();
  return (
    <>
      <PageHeader title="General" />
      <SettingsSection
        title="Name"
        lead="Your company or team. Its name is shown in the side bar and in the portal."
      >
        <AccountNameForm
          name={session.accountName}
          slug={session.accountSlug}
          canRename={isAllowed(session.role, "account:write")}
          renameAccount={renameAccountCommand}
        />
      </SettingsSection>
    </>
  );
}
