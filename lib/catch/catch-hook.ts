import { z } from "zod";
import type { IdentitySource } from "#lib/core/dedupe/identify-event.ts";
import type { Sealer } from "#lib/core/seal/sealer.ts";
import { findProvider } from "#lib/core/verify/providers.ts";
import { prepareVerifier, type Verifier } from "#lib/core/verify/verify.ts";
import type { CatchHookRow, SealedSecretRow } from "#lib/db/catch-hook.ts";
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

export type CustomResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** A rule that does not parse leaves the hook refusing: it fails closed, with a verifier that knows no scheme. */
export function toCatchHook(row: CatchHookRow, sealer: Sealer, nowMs: number): CatchHook {
  const active = row.secrets.filter(({ expiresAt }) => expiresAt === null || expiresAt.getTime() > nowMs);
  return {
    id: row.id,
    accountId: row.accountId,
    isDisabled: row.status === "disabled",
    methods: row.methods,
    verifier: createVerifier(row, openSecrets(row, active, sealer)),
    dedupeSources: parseSources(row.dedupe),
    eventTypeSources: parseSources(row.eventType),
    response: parseResponse(row.response),
    redaction: createRedaction(row),
    validUntilMs: Math.min(
      ...active.map(({ expiresAt }) => expiresAt?.getTime() ?? Number.POSITIVE_INFINITY),
    ),
  };
}

function createVerifier(row: CatchHookRow, secrets: readonly string[]): Verifier | null {
  if (row.provider === "generic") return null;
  if (row.provider === "custom")
    return prepareVerifier({ name: "custom", scheme: row.verification, secrets });
  return prepareVerifier({ name: row.provider, scheme: findProvider(row.provider)?.scheme, secrets });
}

/** A secret that does not open (another key, a moved row) does not count; with none left the hook refuses. */
function openSecrets(row: CatchHookRow, secrets: readonly SealedSecretRow[], sealer: Sealer): string[] {
  return secrets.flatMap(({ id, ciphertext }) => {
    const place = { accountId: row.accountId, table: "hook_secrets", rowId: id, field: "ciphertext" };
    const opened = sealer.open(ciphertext, place);
    return opened.ok ? [Buffer.from(opened.plaintext).toString("utf8")] : [];
  });
}

const sourceSchema = z.discriminatedUnion("from", [
  z.object({ from: z.literal("body"), path: z.string() }),
  z.object({ from: z.literal("header"), name: z.string().toLowerCase() }),
  z.object({ from: z.literal("content") }),
]);
const sourcesSchema = z.union([z.array(sourceSchema), sourceSchema.transform((source) => [source])]);

function parseSources(stored: unknown): readonly IdentitySource[] {
  if (stored === null || stored === undefined) return [];
  return sourcesSchema.parse(stored);
}

const responseSchema = z.object({
  status: z.number().int().min(200).max(299).default(200),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(""),
});

function parseResponse(stored: unknown): CustomResponse | null {
  if (stored === null || stored === undefined) return null;
  return responseSchema.parse(stored);
}
