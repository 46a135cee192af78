import type { Metadata } from "next";
import Link from "next/link";
import { redirect } from "next/navigation";
import { AuthPage } from "#components/account/auth-page.tsx";
import { ResetHint } from "#components/sign-in/reset-hint.tsx";
import { SignInForm } from "#components/sign-in/sign-in-form.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { isSetUp } from "#lib/web/account/page.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { toOwnPath } from "#lib/web/request/own-path.ts";
import { serverContext } from "#lib/web/request/server-context.ts";
import { canResetByEmail } from "#lib/web/sign-in/page.ts";

export const metadata: Metadata = { title: "Sign in" };

type SignInPageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, changed } = await searchParams;
  const context = serverContext();
  const path = toOwnPath(typeof next === "string" ? next : undefined);
  if ((await readSession()) !== null) redirect(path);
  if (!(await isSetUp(context))) {
    return (
      <AuthPage
        title="Not set up yet"
        lead="Open the setup link that the server printed when it started, and create the owner."
      >
        <p className="text-sm text-muted-foreground">Start the server again to get a new link.</p>
      </AuthPage>
    );
  }
  return (
    <AuthPage title="Sign in">
      {changed === "password" && (
        <Notice tone="positive">Password changed. Sign in with the new one.</Notice>
      )}
      <SignInForm next={path} />
      {canResetByEmail(context) ? (
        <Link
          href="/sign-in/forgot"
          className="w-fit rounded-sm text-sm text-muted-foreground hover:text-foreground"
        >
          Forgot your password?
        </Link>
      ) : (
        <details className="text-sm text-muted-foreground">
          <summary className="mb-2 w-fit cursor-pointer rounded-sm hover:text-foreground">
            Forgot your password?
          </summary>
          <ResetHint />
        </details>
      )}
    </AuthPage>
  );
}
