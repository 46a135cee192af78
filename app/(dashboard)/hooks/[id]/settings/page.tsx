import type { Metadata } from "next";
import { HookHeader } from "#components/hook-header.tsx";
import { HookSettings } from "#components/hook-settings.tsx";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readHookSettings } from "#lib/web/read-hook-page.ts";
import { readHook } from "#lib/web/read-named.ts";
import { requireSession } from "#lib/web/session.ts";
import { titleByName } from "../../../title-by-name.ts";
import {
  deleteHookCommand,
  readHookContentsCommand,
  renameHookCommand,
  rotateSecretCommand,
  setHookStatusCommand,
} from "../commands.ts";
import { checkIdentityCommand, expireSecretCommand, saveHookCommand } from "../settings-commands.ts";

type HookSettingsPageProps = { params: Promise<{ id: string }> };

export async function generateMetadata({ params }: HookSettingsPageProps): Promise<Metadata> {
  return await titleByName(params, readHook, { part: "Settings", otherwise: "Hook settings" });
}

export default async function HookSettingsPage({ params }: HookSettingsPageProps) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { hook, secrets, nowMs } = await orNotFound(readHookSettings(accountId, id));
  return (
    <>
      <HookHeader hook={hook} nowMs={nowMs} current="settings" setStatus={setHookStatusCommand} />
      <HookSettings
        hook={hook}
        secrets={secrets}
        nowMs={nowMs}
        rename={renameHookCommand}
        rotateSecret={rotateSecretCommand}
        setStatus={setHookStatusCommand}
        deleteHook={deleteHookCommand}
        readContents={readHookContentsCommand}
        expireSecret={expireSecretCommand}
        save={saveHookCommand}
        checkIdentity={checkIdentityCommand}
      />
    </>
  );
}
