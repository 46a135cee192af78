"use client";

import { CopyButton } from "#components/ui/button/copy-button.tsx";
import { Tabs } from "#components/ui/layout/tabs.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { CopyLine } from "#components/ui/text/copy-line.tsx";
import { TextBlock } from "#components/ui/text/text-block.tsx";
import {
  catchmentSignature,
  defaultSignatureHeaders,
  isSameHeader,
  type SignatureHeaders,
} from "#lib/schema/send/signature-headers.ts";
import verificationSnippets from "./verification-snippets.json" with { type: "json" };

type VerificationProps = {
  /** The headers that are signed. Omitted: those of Catchment's own messages. */
  readonly headers?: SignatureHeaders | undefined;
};

/** A new signing secret, shown only now, with code that verifies what it signs. */
export function SecretOnce({ secret, headers }: { secret: string } & VerificationProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-4">
      <Notice tone="positive">Copy the signing secret now. You won't see it again.</Notice>
      <CopyLine text={secret} what="signing secret" look="primary" testId="signing-secret" />
      <VerificationCode headers={headers} />
    </div>
  );
}

/** Code with which a receiver checks that an event is genuine. */
export function VerificationCode({ headers = defaultSignatureHeaders }: VerificationProps) {
  return (
    <div className="grid min-w-0 grid-cols-1 gap-2">
      <p className="text-sm text-muted-foreground">
        The receiver verifies each request with the secret.{" "}
        {headers.standardWebhooksHeaders && (
          <>
            Or use a{" "}
            <a
              href="https://www.standardwebhooks.com"
              target="_blank"
              rel="noreferrer"
              className="underline underline-offset-4"
            >
              Standard Webhooks
            </a>{" "}
            library.
          </>
        )}
      </p>
      <div className="rounded-md border">
        <Tabs
          label="Verify the signature"
          tabs={chooseSnippets(headers).map(({ title, code }) => ({
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

type Snippet = { readonly title: string; readonly code: string };

/**
 * Code that verifies the headers that an account sends: its own header if it has one, and otherwise
 * those of Standard Webhooks.
 */
function chooseSnippets(headers: SignatureHeaders): readonly Snippet[] {
  const { signatureHeader, standardWebhooksHeaders } = headers;
  if (standardWebhooksHeaders && isSameHeader(signatureHeader, catchmentSignature))
    return verificationSnippets.standard;
  const name = signatureHeader.toLowerCase();
  return verificationSnippets.timed.map(({ title, code }) => ({
    title,
    code: code.replaceAll("acme-signature", name),
  }));
}
