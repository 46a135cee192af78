import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { AuthPage } from "#components/account/auth-page.tsx";
import { SignOutLink } from "#components/shell/sign-out.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import { readPerson, readSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "No account" };

/** For people who were removed from their last account. */
export default async function NoAccountPage() {
  const person = await readPerson();
  if (person === null) redirect("/sign-in");
  if ((await readSession()) !== null) redirect("/");
  return (
    <AuthPage
      title="You don't belong to an account"
      lead={`You are signed in as ${safeText(person.email)}. Ask someone for an invitation and open its link.`}
    >
      <SignOutLink />
    </AuthPage>
  );
}
