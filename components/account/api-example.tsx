"use client";

import { CopyButton } from "#components/ui/button/copy-button.tsx";
import type { ApiScope } from "#lib/schema/account/api-token.ts";

type ApiExampleProps = {
  /** Such as `https://hooks.example.com`. */
  readonly origin: string;
  /** The token, or the name of the variable that has it. */
  readonly token: string;
  readonly scopes: readonly string[];
};

/** A command that works with the token as it is. */
export function ApiExample({ origin, token, scopes }: ApiExampleProps) {
  const path = firstReads.find(([scope]) => scopes.includes(scope))?.[1] ?? "/openapi.json";
  const command = `curl -H "Authorization: Bearer ${token}" ${origin}/api/v1${path}`;
  return (
    <div className="flex items-start gap-2">
      <code className="min-w-0 flex-1 rounded-md bg-muted px-3 py-2 font-mono text-xs leading-5 wrap-anywhere">
        {command}
      </code>
      <CopyButton text={command} what="command" />
    </div>
  );
}

/** A list for each permission to read. */
const firstReads: readonly (readonly [ApiScope, string])[] = [
  ["hooks:read", "/hooks"],
  ["deliveries:read", "/deliveries"],
  ["events:read", "/events"],
  ["subscriptions:read", "/subscriptions"],
];
