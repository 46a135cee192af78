import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthPage } from "#components/account/auth-page.tsx";
import { SignInForm } from "#components/account/sign-in-form.tsx";
import { isSetUp } from "#lib/web/account/page.ts";
import { readSession } from "#lib/web/auth/session.ts";
import { toOwnPath } from "#lib/web/request/own-path.ts";
import { serverContext } from "#lib/web/request/server-context.ts";

export const metadata: Metadata = { title: "Sign in" };

type SignInPageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next } = await searchParams;
  const path = toOwnPath(typeof next === "string" ? next : undefined);
  if ((await readSession()) !== null) redirect(path);
  if (!(await isSetUp(serverContext()))) {
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
      <SignInForm next={path} />
      <details className="text-sm text-muted-foreground">
        <summary className="w-fit cursor-pointer rounded-sm hover:text-foreground">
          Forgot your password?
        </summary>
        <p className="mt-2">
          Ask the person who runs this server for a new one. On the machine, in Catchment’s folder:
        </p>
        <code className="mt-2 block rounded-md bg-muted px-3 py-2 font-mono text-xs break-all text-foreground">
          npm run catchment -- reset-password you@example.com
        </code>
      </details>
    </AuthPage>
  );
}
