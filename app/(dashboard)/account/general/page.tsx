import type { Metadata } from "next";
import { AccountNameForm } from "#components/account/account-name-form.tsx";
import { LeaveButton } from "#components/account/leave-button.tsx";
import { NewAccountForm } from "#components/account/new-account-form.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { createAccountCommand, leaveAccountCommand, renameAccountCommand } from "./commands.ts";

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
          renameAccount={renameAccountCommand.bind(null, session.accountId)}
        />
      </SettingsSection>
      <Allowed to="accounts:create">
        <SettingsSection
          title="Another account"
          lead="Its hooks, people, and tokens are its own. You switch between accounts in the side bar."
        >
          <NewAccountForm
            catchPrefix={`${serverContext().env.publicUrl}/catch/`}
            createAccount={createAccountCommand}
          />
        </SettingsSection>
      </Allowed>
      <SettingsSection
        title="Leave"
        lead="You lose access, and the API tokens that you created here stop working."
      >
        <LeaveButton accountName={session.accountName} leave={leaveAccountCommand} />
      </SettingsSection>
    </>
  );
}
