import type { Metadata } from "next";
import { HookSettings } from "#components/hook-settings/hook-settings.tsx";
import { HookHeader } from "#components/hooks/hook-header.tsx";
import { Restricted } from "#components/permissions/restricted.tsx";
import { HookFacts } from "#components/read-only/hook-facts.tsx";
import { pageContext } from "#lib/web/auth/page-context.ts";
import {
  checkIdentityCommand,
  deleteHookCommand,
  endPreviousCatchUrlsCommand,
  expireSecretCommand,
  readHookContentsCommand,
  rotateCatchUrlCommand,
  rotateSecretCommand,
  saveHookCommand,
  setHookStatusCommand,
} from "#lib/web/hooks/commands.ts";
import { readHookSettings } from "#lib/web/hooks/read-hook-page.ts";
import { orNotFound } from "#lib/web/request/or-not-found.ts";
import { readHook } from "#lib/web/request/read-named.ts";
import { ManagedHere } from "../../../managed-here.tsx";
import { titleByName } from "../../../title-by-name.ts";

type HookSettingsPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: HookSettingsPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "Settings", otherwise: "Hook settings" });
}

export default async function HookSettingsPage({ params }: HookSettingsPageProps) {
  const { id } = await params;
  const { hook, secrets, nowMs } = await orNotFound(readHookSettings(await pageContext(), id));
  return (
    <>
      <HookHeader
        hook={hook}
        nowMs={nowMs}
        current="settings"
        managed={<ManagedHere kind="hook" id={hook.id} />}
        setStatus={setHookStatusCommand}
        deleteHook={deleteHookCommand}
        readContents={readHookContentsCommand}
      />
      <Restricted
        to="hooks:write"
        instead={<HookFacts hook={hook} secrets={secrets} nowMs={nowMs} />}
      >
        <HookSettings
          hook={hook}
          secrets={secrets}
          nowMs={nowMs}
          rotateSecret={rotateSecretCommand}
          expireSecret={expireSecretCommand}
          save={saveHookCommand}
          rotateCatchUrl={rotateCatchUrlCommand}
          endPreviousCatchUrls={endPreviousCatchUrlsCommand}
          checkIdentity={checkIdentityCommand}
        />
      </Restricted>
    </>
  );
}
