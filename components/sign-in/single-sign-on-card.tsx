"use client";

import { useState, useTransition } from "react";
import { Button } from "#components/ui/button/button.tsx";
import { SettingsSection } from "#components/ui/layout/settings-section.tsx";
import { Link } from "#components/ui/link.tsx";
import { serverUnreachable } from "#components/ui/server-unreachable.ts";
import { Badge } from "#components/ui/status/badge.tsx";
import { CodeText } from "#components/ui/text/code-text.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { safeText } from "#components/ui/text/safe-text.ts";
import type { CommandResult } from "#lib/schema/field/command-result.ts";

type Test = () => Promise<CommandResult<{ readonly ok: boolean; readonly message: string }>>;

type SingleSignOnCardProps = {
  readonly settings: {
    readonly name: string | null;
    readonly issuer: string | null;
    readonly isOnly: boolean;
    readonly redirectUri: string;
  };
  readonly test: Test;
};

/** The identity provider, as the environment of the server sets it. */
export function SingleSignOnCard({ settings, test }: SingleSignOnCardProps) {
  const { name, issuer, isOnly, redirectUri } = settings;
  return (
    <SettingsSection
      title="Single sign-on"
      lead="OpenID Connect, for everyone here. It is set in the environment of the server."
    >
      <div className="grid grid-cols-1 gap-4 text-sm">
        <p className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Badge tone={issuer === null ? "neutral" : "positive"}>
            {issuer === null ? "Off" : "On"}
          </Badge>
          {issuer === null ? (
            <span className="text-muted-foreground">
              Set <code className="text-xs">CATCHMENT_OIDC_ISSUER</code> to turn it on.{" "}
              <Link href="/docs/sign-in" className="underline underline-offset-4">
                How to set it up
              </Link>
            </span>
          ) : (
            <span className="text-muted-foreground">
              {safeText(name ?? "")}
              {isOnly && ", the only way to sign in"}
            </span>
          )}
        </p>
        {issuer !== null && (
          <div className="grid gap-1.5">
            <p className="font-medium">Issuer</p>
            <code className="font-mono text-xs wrap-anywhere">{safeText(issuer)}</code>
          </div>
        )}
        <div className="grid gap-1.5">
          <p className="font-medium">Redirect URI to register at the provider</p>
          <CopyLine text={redirectUri} what="redirect URI" />
        </div>
        {issuer !== null && <TestButton test={test} />}
      </div>
    </SettingsSection>
  );
}

function TestButton({ test }: { test: Test }) {
  const [result, setResult] = useState<{ readonly ok: boolean; readonly message: string }>();
  const [isPending, startTransition] = useTransition();
  const run = () =>
    startTransition(async () => {
      const asked = await test().catch(() => serverUnreachable);
      startTransition(() => setResult(asked.ok ? asked.value : asked));
    });
  return (
    <div className="grid justify-items-start gap-2">
      <Button look="secondary" isBusy={isPending} onClick={run}>
        Test connection
      </Button>
      <p role="status" className={result?.ok === false ? "text-negative" : "text-muted-foreground"}>
        {result !== undefined && <CodeText text={result.message} />}
      </p>
    </div>
  );
}
