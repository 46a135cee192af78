import type { Metadata } from "next";
import { HookHeader } from "#components/hook-header.tsx";
import { HookSettings } from "#components/hook-settings.tsx";
import { orNotFound } from "#lib/web/or-not-found.ts";
import { readHookSettings } from "#lib/web/read-hook-page.ts";
import { requireSession } from "#lib/web/session.ts";
import {
  deleteHookCommand,
  readHookContentsCommand,
  renameHookCommand,
  rotateSecretCommand,
  setHookStatusCommand,
} from "../commands.ts";
import { checkIdentityCommand, expireSecretCommand, saveHookCommand } from "../settings-commands.ts";

export const metadata: Metadata = { title: "Hook settings" };

export default async function HookSettingsPage({ params }: { params: Promise<{ id: string }> }) {
  const { accountId } = await requireSession();
  const { id } = await params;
  const { hook, secrets, nowMs } = await orNotFound(readHookSettings(accountId, id));
  return (
    <>
      <HookHeader hook={hook} current="settings" setStatus={setHookStatusCommand} />
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
