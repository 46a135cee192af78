import type { Metadata } from "next";
import { ClientRejected, ClientSignIn } from "#components/sign-in/client-sign-in.tsx";
import { TimeZoneProvider } from "#components/ui/time/time-zone.tsx";
import { readClientSignIn } from "#lib/services/sign-in/decide-client-sign-in.ts";
import { allowClientSignInCommand, denyClientSignInCommand } from "#lib/web/auth/commands.ts";
import { pageContext } from "#lib/web/auth/page-context.ts";
import { requireSession } from "#lib/web/auth/session.ts";

export const metadata: Metadata = { title: "Let a program in" };

type AuthorizePageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

/** Lets a person allow a program, such as an AI assistant, to act as them (OAuth 2.1 §4.1.1). */
export default async function AuthorizePage({ searchParams }: AuthorizePageProps) {
  const { email, timeZone } = await requireSession();
  const query = Object.fromEntries(
    Object.entries(await searchParams).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
  const asked = await readClientSignIn(await pageContext(), { query });
  if (!asked.ok) return <ClientRejected message={asked.message} back={asked.back} />;
  const commands = { allow: allowClientSignInCommand, deny: denyClientSignInCommand };
  return (
    <TimeZoneProvider timeZone={timeZone}>
      <ClientSignIn email={email} query={query} asked={asked} commands={commands} />
    </TimeZoneProvider>
  );
}
