import type { Metadata } from "next";
import { PasswordForm } from "#components/account/password-form.tsx";
import { ProfileForm } from "#components/account/profile-form.tsx";
import { SessionList } from "#components/account/session-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { timeZones } from "#lib/schema/account/account.ts";
import { readProfilePage } from "#lib/web/account/page.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import {
  changePasswordCommand,
  endSessionCommand,
  saveProfileCommand,
  signOutEverywhereCommand,
} from "./commands.ts";

export const metadata: Metadata = { title: "Profile" };

export default async function AccountPage() {
  const session = await requireSession();
  const { nowMs, sessions } = await readProfilePage(serverContext(), session);
  return (
    <>
      <PageHeader title="Profile" />
      <SettingsSection title="About you" lead="Your name, sign-in email, and time zone.">
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
    </>
  );
}
