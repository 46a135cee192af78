import type { Metadata } from "next";
import { AccountNameForm } from "#components/account/account-name-form.tsx";
import { DeleteAccountButton } from "#components/account/delete-account-button.tsx";
import { LeaveButton } from "#components/account/leave-button.tsx";
import { NewAccountForm } from "#components/account/new-account-form.tsx";
import { TransferButton } from "#components/account/transfer-button.tsx";
import { Allowed } from "#components/permissions/role.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { readOwnership } from "#lib/services/account/accounts.ts";
import {
  createAccountCommand,
  deleteAccountCommand,
  leaveAccountCommand,
  renameAccountCommand,
  transferAccountCommand,
} from "#lib/web/account/commands.ts";
import { authorizePage, pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "General" };

export default async function GeneralPage() {
  await authorizePage("account:read");
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
            catchPrefix={`${(await pageContext()).env.publicUrl}/catch/`}
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
      {isAllowed(session.role, "account:delete") && <Ownership session={session} />}
    </>
  );
}

/** The changes that only owners can make. */
async function Ownership({ session }: { session: Awaited<ReturnType<typeof requireSession>> }) {
  const { accountId, accountName } = session;
  const { others, isOnlyAccount } = await readOwnership(await pageContext(), {});
  return (
    <>
      <SettingsSection title="Transfer" lead="Make another member the owner in your place.">
        <TransferButton
          accountName={accountName}
          members={others}
          transfer={transferAccountCommand.bind(null, accountId)}
        />
      </SettingsSection>
      <SettingsSection
        title="Delete"
        lead="Everything in this account is deleted for good. Other accounts stay as they are."
      >
        {isOnlyAccount ? (
          <p className="text-sm text-muted-foreground">
            This is the only account here, and an installation needs one. Create another account
            first.
          </p>
        ) : (
          <DeleteAccountButton
            accountName={accountName}
            deleteAccount={deleteAccountCommand.bind(null, accountId)}
          />
        )}
      </SettingsSection>
    </>
  );
}
