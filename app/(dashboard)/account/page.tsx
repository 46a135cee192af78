import type { Metadata } from "next";
import { AccountHeader } from "#components/account-header.tsx";
import { AccountNameForm } from "#components/account-name-form.tsx";
import { PasswordForm } from "#components/password-form.tsx";
import { ProfileForm } from "#components/profile-form.tsx";
import { SessionList } from "#components/session-list.tsx";
import { SettingsSection } from "#components/ui/settings-section.tsx";
import { listSessions } from "#lib/db/sessions.ts";
import { serverContext } from "#lib/web/server-context.ts";
import { requireSession } from "#lib/web/session.ts";
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
  const sessions = await listSessions(serverContext().db, session.userId);
  return (
    <>
      <AccountHeader current="profile" />
      <div className="grid max-w-4xl gap-8">
        <SettingsSection title="Profile" lead="Who you are, and what you sign in with.">
          <ProfileForm name={session.name} email={session.email} saveProfile={saveProfileCommand} />
        </SettingsSection>
        <SettingsSection title="Password" lead="Changing it signs you out in every other browser.">
          <PasswordForm email={session.email} changePassword={changePasswordCommand} />
        </SettingsSection>
        <SettingsSection
          title="Signed in"
          lead="Every browser that is signed in as you. End what you don't know, and change your password."
        >
          <SessionList
            sessions={sessions}
            currentId={session.sessionId}
            nowMs={Date.now()}
            endSession={endSessionCommand}
            signOutEverywhere={signOutEverywhereCommand}
          />
        </SettingsSection>
        <SettingsSection title="Organisation" lead="The account that hooks, tokens and all below belong to.">
          <AccountNameForm
            name={session.accountName}
            slug={session.accountSlug}
            canRename={session.role !== "member"}
            renameAccount={renameAccountCommand}
          />
        </SettingsSection>
      </div>
    </>
  );
}
