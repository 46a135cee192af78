import type { Metadata } from "next";
import { AuthPage } from "#components/account/auth-page.tsx";
import { SetupForm } from "#components/account/setup-form.tsx";
import { buttonClasses } from "#components/ui/button/button.tsx";
import { Link } from "#components/ui/link.tsx";
import { readSetupState, type SetupState } from "#lib/services/account/first-owner.ts";
import { serverContext } from "#lib/services/frame/server-context.ts";
import { claimSetupCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Set up" };

type SetupPageProps = {
  readonly searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export default async function SetupPage({ searchParams }: SetupPageProps) {
  const { token } = await searchParams;
  const given = typeof token === "string" ? token : "";
  const context = serverContext();
  const state = await readSetupState(context, given);
  if (state !== "open") return <Closed state={state} />;
  return (
    <AuthPage
      title="Welcome to Catchment"
      lead="Create the owner of this installation. This link works once."
    >
      <SetupForm
        catchPrefix={`${context.env.publicUrl}/catch/`}
        createOwner={claimSetupCommand.bind(null, given)}
      />
    </AuthPage>
  );
}

function Closed({ state }: { state: SetupState }) {
  if (state === "owner_exists") {
    return (
      <AuthPage
        title="Already set up"
        lead="This installation already has an owner, so the setup link no longer works."
      >
        <Link href="/sign-in" className={buttonClasses("primary", "w-full")}>
          Sign in
        </Link>
      </AuthPage>
    );
  }
  return (
    <AuthPage
      title="This link doesn't work"
      lead="A setup link works once, for 24 hours, and only the newest one. Start the server again to get a new link."
    >
      <Link href="/sign-in" className={buttonClasses("secondary", "w-full")}>
        Sign in instead
      </Link>
    </AuthPage>
  );
}
