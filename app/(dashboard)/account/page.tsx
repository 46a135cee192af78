import type { Metadata } from "next";
import { EmailState } from "#components/account/email-state.tsx";
import { ProfileForm } from "#components/account/profile-form.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { timeZones } from "#lib/schema/account/account.ts";
import { readEmailState } from "#lib/services/account/email-change.ts";
import {
  cancelEmailChangeCommand,
  saveProfileCommand,
  sendEmailLinkCommand,
} from "#lib/web/auth/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "Profile" };

export default async function AccountPage() {
  const session = await requireSession();
  const context = await pageContext();
  const { change, isVerified, sendsEmail } = await readEmailState(context, {});
  return (
    <>
      <PageHeader title="Profile" />
      <SettingsSection title="About you" lead="Your name, sign-in email, and time zone.">
        <div className="grid grid-cols-1 gap-5">
          <EmailState
            email={session.email}
            change={change}
            isVerified={isVerified}
            sendsEmail={sendsEmail}
            nowMs={context.now().getTime()}
            send={sendEmailLinkCommand}
            cancel={cancelEmailChangeCommand}
          />
          <ProfileForm
            name={session.name}
            email={session.email}
            timeZone={session.timeZone}
            timeZones={timeZones}
            sendsEmail={sendsEmail}
            saveProfile={saveProfileCommand}
          />
        </div>
      </SettingsSection>
    </>
  );
}
