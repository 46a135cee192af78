import type { Metadata } from "next";
import { AuthPage } from "#components/account/auth-page.tsx";
import { ResetForm } from "#components/sign-in/reset-form.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { isPasswordResetOpen } from "#lib/services/sign-in/password-reset.ts";
import { resetPasswordCommand } from "../commands.ts";

export const metadata: Metadata = { title: "Choose a new password" };

type ResetPageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function ResetPage({ searchParams }: ResetPageProps) {
  const { token } = await searchParams;
  const given = typeof token === "string" ? token : "";
  if (!(await isPasswordResetOpen(serverContext().db, given)))
    return (
      <AuthPage
        title="This link doesn't work"
        lead="A link to choose a password works once, for an hour, and only until the password is changed."
      >
        <Link href="/sign-in/forgot" className={buttonClasses("primary", "w-full")}>
          Get a new link
        </Link>
      </AuthPage>
    );
  return (
    <AuthPage
      title="Choose a new password"
      lead="You'll be signed out everywhere. Then sign in with the new password."
    >
      <ResetForm resetPassword={resetPasswordCommand.bind(null, given)} />
    </AuthPage>
  );
}
