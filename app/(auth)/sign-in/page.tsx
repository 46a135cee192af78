import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthPage } from "#components/account/auth-page.tsx";
import { describeRejection } from "#components/sign-in/describe-rejection.ts";
import { PasskeyButton } from "#components/sign-in/passkey-button.tsx";
import { ProviderButton } from "#components/sign-in/provider-button.tsx";
import { LockedOutHint, ResetHint } from "#components/sign-in/reset-hint.tsx";
import { SignInForm } from "#components/sign-in/sign-in-form.tsx";
import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { readSignInPage } from "#lib/services/sign-in/read-sign-in.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { toOwnPath } from "#lib/web/request/own-path.ts";
import { finishPasskeySignInCommand, startPasskeySignInCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Sign in" };

type SignInPageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next, changed, error, with: way } = await searchParams;
  const path = toOwnPath(typeof next === "string" ? next : undefined);
  if ((await readSession()) !== null) redirect(path);
  const page = await readSignInPage(serverContext());
  if (!page.isSetUp) return <NotSetUp />;
  const { providerName, isProviderOnly } = page;
  const rejection = describeRejection(typeof error === "string" ? error : undefined);
  const hasForm = !isProviderOnly || way === "password";
  return (
    <AuthPage title="Sign in">
      {changed === "password" && (
        <Notice tone="positive">Password changed. Sign in with the new one.</Notice>
      )}
      {rejection !== undefined && (
        <Notice tone="negative">
          <p>{rejection.text}</p>
          {rejection.operator !== undefined && (
            <p className="mt-2">For the person who runs this server: {rejection.operator}</p>
          )}
        </Notice>
      )}
      {providerName !== null && (
        <ProviderButton name={providerName} next={path} isOnly={isProviderOnly} />
      )}
      {page.hasPasskeys && (
        <PasskeyButton
          next={path}
          start={startPasskeySignInCommand}
          finish={finishPasskeySignInCommand}
        />
      )}
      {hasForm && (providerName !== null || page.hasPasskeys) && <Or />}
      {hasForm && <SignInForm next={path} />}
      <Help {...page} hasForm={hasForm} />
    </AuthPage>
  );
}

function NotSetUp() {
  return (
    <AuthPage
      title="Not set up yet"
      lead="Open the setup link that the server printed when it started, and create the owner."
    >
      <p className="text-sm text-muted-foreground">Start the server again to get a new link.</p>
    </AuthPage>
  );
}

function Or() {
  return (
    <div className="flex items-center gap-3 text-xs text-muted-foreground">
      <span className="h-px flex-1 bg-border" />
      or
      <span className="h-px flex-1 bg-border" />
    </div>
  );
}

type HelpProps = {
  readonly isProviderOnly: boolean;
  readonly canResetByEmail: boolean;
  readonly hasForm: boolean;
};

function Help({ isProviderOnly, canResetByEmail, hasForm }: HelpProps) {
  if (canResetByEmail)
    return (
      <Link
        href="/sign-in/forgot"
        className="w-fit rounded-sm text-sm text-muted-foreground hover:text-foreground"
      >
        Forgot your password?
      </Link>
    );
  return (
    <details className="text-sm text-muted-foreground">
      <summary className="mb-2 w-fit cursor-pointer rounded-sm hover:text-foreground">
        {isProviderOnly ? "Locked out?" : "Forgot your password?"}
      </summary>
      {isProviderOnly ? <LockedOutHint hasForm={hasForm} /> : <ResetHint />}
    </details>
  );
}
