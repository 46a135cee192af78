import type { Metadata } from "next";
import { AcceptForm } from "#components/account/accept-form.tsx";
import { AuthPage } from "#components/account/auth-page.tsx";
import { LinkButton } from "#components/account/link-button.tsx";
import { OtherPersonButton } from "#components/account/other-person-button.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { findInvitation } from "#lib/services/invitations.ts";
import { readSignInPage } from "#lib/services/sign-in/read-sign-in.ts";
import { readPerson } from "#lib/web/auth/session.ts";
import { acceptAsNewPersonCommand, joinCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Invitation" };

type InvitationPageProps = { readonly params: Promise<{ token: string }> };

export default async function InvitationPage({ params }: InvitationPageProps) {
  const { token } = await params;
  const [invitation, person, { isProviderOnly, providerName }] = await Promise.all([
    findInvitation(serverContext().db, token),
    readPerson(),
    readSignInPage(serverContext()),
  ]);
  if (invitation === null)
    return (
      <AuthPage
        title="This invitation doesn't work"
        lead="An invitation works once, for 7 days, and only its newest link. Ask for a new one."
      >
        <Link href="/" className={buttonClasses("secondary", "w-full")}>
          Open Catchment
        </Link>
      </AuthPage>
    );
  const { accountName, email, invitedBy, role, userId } = invitation;
  const inviter = invitedBy === null ? "You are invited" : `${safeText(invitedBy)} invites you`;
  const lead = `${inviter} to join as ${/^[ao]/.test(role) ? "an" : "a"} ${role}.`;
  return (
    <AuthPage title={`Join ${safeText(accountName)}`} lead={lead}>
      {person === null && userId === null && !isProviderOnly && (
        <AcceptForm email={email} accept={acceptAsNewPersonCommand.bind(null, token)} />
      )}
      {person === null && (userId !== null || isProviderOnly) && (
        <Link
          href={`/sign-in?${new URLSearchParams({ next: `/invitations/${token}` })}`}
          className={buttonClasses("primary", "w-full")}
        >
          {isProviderOnly
            ? `Sign in with ${safeText(providerName ?? "")} to join`
            : `Sign in as ${safeText(email)} to join`}
        </Link>
      )}
      {person?.email === email && (
        <LinkButton label="Join" run={joinCommand.bind(null, token)} next="/" />
      )}
      {person !== null && person.email !== email && (
        <OtherPersonButton email={safeText(person.email)} invited={safeText(email)} />
      )}
    </AuthPage>
  );
}
