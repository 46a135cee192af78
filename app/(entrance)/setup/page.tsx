import type { Metadata } from "next";
import Link from "next/link";
import { Entrance } from "#components/entrance.tsx";
import { SetupForm } from "#components/setup-form.tsx";
import { buttonClasses } from "#components/ui/button.tsx";
import { readSetupState, type SetupState } from "#lib/db/setup-tokens.ts";
import { serverContext } from "#lib/web/server-context.ts";
import { claimSetupCommand } from "./commands.ts";

export const metadata: Metadata = { title: "Set up" };

type SetupPageProps = { readonly searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function SetupPage({ searchParams }: SetupPageProps) {
  const { token } = await searchParams;
  const { db, env } = serverContext();
  const state = await readSetupState(db, typeof token === "string" ? token : "");
  if (state !== "open" || typeof token !== "string") return <Closed state={state} />;
  return (
    <Entrance
      title="Welcome to Catchment"
      lead="Create the owner of this installation. This link works once."
    >
      <SetupForm catchPrefix={`${env.publicUrl}/catch/`} createOwner={claimSetupCommand.bind(null, token)} />
    </Entrance>
  );
}

function Closed({ state }: { state: SetupState }) {
  if (state === "owner_exists") {
    return (
      <Entrance title="Already set up" lead="This installation has an owner. The set-up link is closed.">
        <Link href="/sign-in" className={buttonClasses("primary", "w-full")}>
          Sign in
        </Link>
      </Entrance>
    );
  }
  return (
    <Entrance
      title="This link does not work"
      lead="A set-up link works once, for 24 hours, and only the newest one. Start the server again to get a new link."
    >
      <Link href="/sign-in" className={buttonClasses("secondary", "w-full")}>
        Sign in instead
      </Link>
    </Entrance>
  );
}
