import type { Metadata } from "next";
import { AccountHeader } from "#components/account/account-header.tsx";
import { AccountNameForm } from "#components/account/account-name-form.tsx";
import { PasswordForm } from "#components/account/password-form.tsx";
import { ProfileForm } from "#components/account/profile-form.tsx";
import { SessionList } from "#components/account/session-list.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { timeZones } from "#lib/schema/account/account.ts";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { readProfilePage } from "#lib/web/account/page.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import {
  changePasswordCommand,
  endSessionCommand,
  renameAccountCommand,
  saveProfileCommand,
  signOutEverywhereCommand,
} from "./commands.ts";

export const metadata: Metadata = { title: "Account" };

export default async function AccountPage() {
  const session = await requireSession();
  const { nowMs, sessions } = await readProfilePage(serverContext(), session);
  return (
    <>
      <AccountHeader current="profile" />
      <div className="grid max-w-4xl gap-8">
        <SettingsSection title="Profile" lead="Your name, sign-in email, and time zone.">
          <ProfileForm
            name={session.name}
            email={session.email}
            timeZone={session.timeZone}
            timeZones={timeZones}
            saveProfile={saveProfileCommand}
          />
        </SettingsSection>
        <SettingsSection title="Password" lead="Changing it signs you out in every other browser.">
          <PasswordForm email={session.email} changePassword={changePasswordCommand} />
        </SettingsSection>
        <SettingsSection
          title="Signed in"
          lead="Every browser signed in as you. If you don't recognize one, sign it out and change your password."
        >
          <SessionList
            sessions={sessions}
            currentId={session.sessionId}
            nowMs={nowMs}
            endSession={endSessionCommand}
            signOutEverywhere={signOutEverywhereCommand}
          />
        </SettingsSection>
        <SettingsSection
          title="Account"
          lead="Your company or team. Its name is shown in the side bar and in the portal."
        >
          <AccountNameForm
            name={session.accountName}
            slug={session.accountSlug}
            canRename={isAllowed(session.role, "account:write")}
            renameAccount={renameAccountCommand}
          />
        </SettingsSection>
      </div>
    </>
  );
}
