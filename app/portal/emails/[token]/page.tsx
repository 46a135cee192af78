import type { Metadata } from "next";
import { AuthPage } from "#components/account/auth-page.tsx";
import { CommandButton } from "#components/ui/feedback/command-button.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { readEmailLink } from "#lib/services/alerts/recipient-emails.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { confirmRecipientEmailCommand, endRecipientEmailCommand } from "../commands.ts";

export const metadata: Metadata = { title: "Emails about failures" };

type EmailLinkPageProps = { readonly params: Promise<{ token: string }> };

/** Opens from an email: opening it changes nothing, because mail programs open links too. */
export default async function EmailLinkPage({ params }: EmailLinkPageProps) {
  const { token } = await params;
  const link = await readEmailLink(serverContext(), token);
  if (link === null)
    return (
      <AuthPage
        title="This link no longer works"
        lead="No emails are sent to its address. To get some, add it in the portal again."
      />
    );
  const email = safeText(link.email);
  const portalName = safeText(link.portalName);
  if (link.isConfirmed)
    return (
      <AuthPage
        title="Emails about failures are on"
        lead={`${portalName} tells ${email} when your endpoint fails, and when it works again.`}
      >
        <CommandButton run={endRecipientEmailCommand.bind(null, token)}>
          Stop these emails
        </CommandButton>
      </AuthPage>
    );
  return (
    <AuthPage
      title="Get emails about failures?"
      lead={`${portalName} tells ${email} when your endpoint fails, and when it works again.`}
    >
      <CommandButton look="primary" run={confirmRecipientEmailCommand.bind(null, token)}>
        Confirm email
      </CommandButton>
    </AuthPage>
  );
}
