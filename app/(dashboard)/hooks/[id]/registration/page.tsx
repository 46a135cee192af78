import type { Metadata } from "next";
import { HookHeader } from "#components/hooks/hook-header.tsx";
import { Registration } from "#components/registrations/registration.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  deleteHookCommand,
  readHookContentsCommand,
  setHookStatusCommand,
} from "#lib/web/hooks/commands.ts";
import { registerHookCommand, removeRegistrationCommand } from "#lib/web/registrations/commands.ts";
import { readRegistrationPage } from "#lib/web/registrations/read-registration-page.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { readHook } from "#lib/web/request/read-named.ts";
import { ManagedHere } from "../../../managed-here.tsx";
import { titleByName } from "../../../title-by-name.ts";

type RegistrationPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: RegistrationPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "Registration", otherwise: "Registration" });
}

export default async function RegistrationPage({ params }: RegistrationPageProps) {
  const { id } = await params;
  const page = await orNotFound(readRegistrationPage(await pageContext(), id));
  const { hook, nowMs, registration, source } = page;
  return (
    <>
      <HookHeader
        hook={hook}
        nowMs={nowMs}
        current="registration"
        managed={<ManagedHere kind="hook" id={hook.id} />}
        setStatus={setHookStatusCommand}
        deleteHook={deleteHookCommand}
        readContents={readHookContentsCommand}
      />
      <Registration
        hookId={hook.id}
        nowMs={nowMs}
        registration={registration}
        source={source}
        register={registerHookCommand}
        remove={removeRegistrationCommand}
      />
    </>
  );
}
