"use client";

import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Tabs } from "#components/ui/layout/tabs.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import verificationSnippets from "./verification-snippets.json" with { type: "json" };

/** A new signing secret, shown only now, with code that verifies what it signs. */
export function SecretOnce({ secret }: { secret: string }) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Notice tone="positive">Copy the signing secret now. You won't see it again.</Notice>
      <CopyLine text={secret} what="signing secret" look="primary" testId="signing-secret" />
      <VerificationCode />
    </div>
  );
}

/** Code with which a receiver checks that an event is genuine. */
export function VerificationCode() {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <p className="text-sm text-muted-foreground">
        The receiver verifies each request with the secret. Packages for{" "}
        <a
          href="https://www.standardwebhooks.com"
          target="_blank"
          rel="noreferrer"
          className="underline underline-offset-4"
        >
          Standard Webhooks
        </a>{" "}
        do it too.
      </p>
      <div className="rounded-md border">
        <Tabs
          label="Verify the signature"
          tabs={verificationSnippets.map(({ title, code }) => ({
            id: title,
            title,
            panel: (
              <div className="grid grid-cols-1 justify-items-end gap-2">
                <CopyButton text={code} what={`${title} code`} />
                <div className="w-full min-w-0">
                  <TextBlock label={`${title} code`} text={code} keepsLines />
                </div>
              </div>
            ),
          }))}
        />
      </div>
    </div>
  );
}
