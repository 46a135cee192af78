import type { Metadata } from "next";
import { PasswordForm } from "#components/account/password-form.tsx";
import { SessionList } from "#components/account/session-list.tsx";
import { PageHeader } from "#components/shell/page-header.tsx";
import { PasskeySettings } from "#components/sign-in/passkey-settings.tsx";
import { SingleSignOnCard } from "#components/sign-in/single-sign-on-card.tsx";
import { TwoFactorSettings } from "#components/sign-in/two-factor-settings.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { isAllowed } from "#lib/schema/account/permissions.ts";
import { readSignInSettings } from "#lib/services/sign-in/read-sign-in.ts";
import { readSingleSignOn } from "#lib/services/sign-in/single-sign-on.ts";
import {
  addPasskeyCommand,
  changePasswordCommand,
  confirmTwoFactorCommand,
  endSessionCommand,
  removePasskeyCommand,
  renamePasskeyCommand,
  renewRecoveryCodesCommand,
  signOutEverywhereCommand,
  startPasskeyCommand,
  startTwoFactorCommand,
  testSingleSignOnCommand,
  turnOffTwoFactorCommand,
} from "#lib/web/auth/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "Sign-in" };

export default async function SignInSettingsPage() {
  const session = await requireSession();
  const context = await pageContext();
  const settings = await readSignInSettings(context, {});
  const { providerName, isProviderOnly, hasIdentity, twoFactor, passkeys } = settings;
  return (
    <>
      <PageHeader title="Sign-in" />
      {isProviderOnly ? (
        <SettingsSection title="Single sign-on" lead="The only way to sign in here.">
          <p className="text-sm text-muted-foreground">
            You sign in with {providerName}. Your password and your second factor are managed there.
          </p>
        </SettingsSection>
      ) : (
        <>
          <SettingsSection
            title="Password"
            lead="Changing it signs you out in every other browser."
          >
            {hasIdentity && (
              <p className="mb-4 text-sm text-muted-foreground">
                You sign in with {providerName ?? "single sign-on"}. If you never chose a password,
                use “Forgot your password?” on the sign-in page.
              </p>
            )}
            <PasswordForm email={session.email} changePassword={changePasswordCommand} />
          </SettingsSection>
          <SettingsSection
            title="Two-factor authentication"
            lead="A code from an authenticator app, after your password."
          >
            <TwoFactorSettings
              {...twoFactor}
              email={session.email}
              start={startTwoFactorCommand}
              confirm={confirmTwoFactorCommand}
              renewCodes={renewRecoveryCodesCommand}
              turnOff={turnOffTwoFactorCommand}
            />
          </SettingsSection>
          <SettingsSection
            title="Passkeys"
            lead="Sign in without a password. A passkey counts as two factors."
          >
            {passkeys === null ? (
              <p className="text-sm text-muted-foreground">
                Passkeys need HTTPS and a host name. Set CATCHMENT_PUBLIC_URL to such a URL.
              </p>
            ) : (
              <PasskeySettings
                passkeys={passkeys}
                email={session.email}
                nowMs={settings.nowMs}
                start={startPasskeyCommand}
                add={addPasskeyCommand}
                rename={renamePasskeyCommand}
                remove={removePasskeyCommand}
              />
            )}
          </SettingsSection>
        </>
      )}
      {isAllowed(session.role, "account:write") && (
        <SingleSignOnCard
          settings={await readSingleSignOn(context, {})}
          test={testSingleSignOnCommand}
        />
      )}
      <SettingsSection
        title="Signed in"
        lead="Every browser signed in as you. If you don't recognize one, sign it out and change your password."
      >
        <SessionList
          sessions={settings.sessions}
          currentId={session.sessionId}
          nowMs={settings.nowMs}
          endSession={endSessionCommand}
          signOutEverywhere={signOutEverywhereCommand}
        />
      </SettingsSection>
    </>
  );
}
