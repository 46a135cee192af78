"use client";

import { CopyLine } from "#components/ui/text/copy-line.tsx";
import type { ApiScope } from "#lib/schema/account/scopes.ts";

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
  return <CopyLine text={command} what="command" />;
}

/** A list for each permission to read. */
const firstReads: readonly (readonly [ApiScope, string])[] = [
  ["hooks:read", "/hooks"],
  ["deliveries:read", "/deliveries"],
  ["events:read", "/events"],
  ["subscriptions:read", "/subscriptions"],
];
