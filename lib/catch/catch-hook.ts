import type { IdentitySource } from "#lib/core/dedupe/identify-event.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import { prepareVerifier, type Verifier } from "#lib/core/verify/verify.ts";
import { type CatchHookRow, type CatchRules, parseCatchRules } from "#lib/db/catch-hook.ts";
import { providerSettingsSchema } from "#lib/schema/verification.ts";
import { createRedaction, type Redaction } from "./redaction.ts";

/** A hook made ready to judge deliveries: rules parsed, secrets opened, the verifier prepared. */
export type CatchHook = {
  readonly id: string;
  readonly accountId: string;
  readonly isDisabled: boolean;
  readonly methods: readonly string[];
  /** Null: the hook takes whatever arrives. */
  readonly verifier: Verifier | null;
  readonly dedupeSources: readonly IdentitySource[];
  readonly eventTypeSources: readonly IdentitySource[];
  readonly response: CustomResponse | null;
  readonly redaction: Redaction;
  /** When one of its secrets expires and it has to be made again, in milliseconds since 1970. */
  readonly validUntilMs: number;
};

export type CustomResponse = NonNullable<CatchRules["response"]>;

/** Throws where a rule can't be read: such a hook takes nothing, and its senders come back. */
export function toCatchHook(row: CatchHookRow, sealer: Sealer, nowMs: number): CatchHook {
  const { dedupe, eventType, response } = parseCatchRules(row);
  return {
    id: row.id,
    accountId: row.accountId,
    isDisabled: row.status === "disabled",
    methods: row.methods,
    verifier: createVerifier(row, openSecrets(row, sealer)),
    dedupeSources: dedupe,
    eventTypeSources: eventType,
    response,
    redaction: createRedaction(row),
    validUntilMs: Math.min(
      ...row.secrets.map(({ expiresInMs }) => nowMs + (expiresInMs ?? Number.POSITIVE_INFINITY)),
    ),
  };
}

/** An unknown provider gives a verifier without a scheme, which refuses everything. */
function createVerifier(row: CatchHookRow, secrets: readonly string[]): Verifier | null {
  if (row.provider === "generic") return null;
  const scheme = row.provider === "custom" ? row.verification : findProvider(row.provider)?.scheme;
  const parsed = providerSettingsSchema.safeParse(row.verification);
  const settings = parsed.success ? parsed.data.settings : {};
  return prepareVerifier({ name: row.provider, scheme, secrets, settings });
}

/** A secret that does not open (another key, a moved row) does not count; with none left the hook refuses. */
function openSecrets(row: CatchHookRow, sealer: Sealer): string[] {
  return row.secrets.flatMap(({ id, ciphertext }) => {
    const place = { accountId: row.accountId, table: "hook_secrets", rowId: id, field: "ciphertext" };
    const opened = sealer.open(Buffer.from(ciphertext, "base64"), place);
    return opened.ok ? [Buffer.from(opened.plaintext).toString("utf8")] : [];
  });
}
