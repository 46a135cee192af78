import type { Metadata } from "next";
import { AuthPage } from "#components/account/auth-page.tsx";
import { LinkButton } from "#components/account/link-button.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { findLinkedEmail } from "#lib/services/account/email-change.ts";
import { confirmEmailCommand } from "#lib/web/auth/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "Confirm your email" };

type ConfirmEmailPageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** Only the person who asked for the link can use it, signed in. */
export default async function ConfirmEmailPage({ searchParams }: ConfirmEmailPageProps) {
  const session = await requireSession();
  const { token } = await searchParams;
  const given = typeof token === "string" ? token : "";
  const email = await findLinkedEmail(await pageContext(), { token: given });
  if (email === null)
    return (
      <AuthPage
        title="This link doesn't work"
        lead={
          "A link to confirm an email works once, for a day, and only for the person who asked for it. " +
          `You are signed in as ${safeText(session.email)}.`
        }
      >
        <Link href="/account" className={buttonClasses("primary", "w-full")}>
          Open your profile
        </Link>
      </AuthPage>
    );
  const isSame = email === session.email;
  return (
    <AuthPage
      title="Confirm your email"
      lead={
        isSame
          ? `You sign in as ${safeText(email)}. Confirm that this mailbox is yours.`
          : `You sign in as ${safeText(session.email)} now, and as ${safeText(email)} from then on. ` +
            "Every other browser is signed out."
      }
    >
      <LinkButton
        label="Confirm email"
        run={confirmEmailCommand.bind(null, given)}
        next="/account"
      />
    </AuthPage>
  );
}
