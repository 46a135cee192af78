import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Entrance } from "#components/entrance.tsx";
import { SignInForm } from "#components/sign-in-form.tsx";
import { hasOwner } from "#lib/db/owner.ts";
import { toOwnPath } from "#lib/web/own-path.ts";
import { serverContext } from "#lib/web/server-context.ts";
import { readSession } from "#lib/web/session.ts";

export const metadata: Metadata = { title: "Sign in" };

type SignInPageProps = { readonly searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next } = await searchParams;
  const path = toOwnPath(typeof next === "string" ? next : undefined);
  if ((await readSession()) !== null) redirect(path);
  if (!(await hasOwner(serverContext().db))) {
    return (
      <Entrance
        title="Not set up yet"
        lead="Open the set-up link that was printed when the server started. It creates the owner of this installation."
      >
        <p className="text-sm text-muted-foreground">Start the server again to get a new link.</p>
      </Entrance>
    );
  }
  return (
    <Entrance title="Sign in">
      <SignInForm next={path} />
    </Entrance>
  );
}
