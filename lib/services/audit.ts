import type { ServiceContext } from "./service.ts";

/** The event in dotted words such as `hook.secret.rotated`, and its subject. Never a secret. */
export type AuditEntry = {
  readonly event: string;
  readonly targets: readonly { readonly type: string; readonly id: string }[];
};

/** Called by every service that changes something. Records nothing until there is an audit log. */
export async function audit(_context: ServiceContext, _entry: AuditEntry): Promise<void> {}
