import type { Metadata } from "next";
import { ProfileForm } from "#components/account/profile-form.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { timeZones } from "#lib/schema/account/account.ts";
import { requireSession } from "#lib/web/auth/session.ts";
import { saveProfileCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Profile" };

export default async function AccountPage() {
  const session = await requireSession();
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
    </>
  );
}
