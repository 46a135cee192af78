import { randomBytes } from "node:crypto";
import { AppError } from "#lib/base/errors.ts";
import { toCurlCommand } from "#lib/core/api/http/curl-command.ts";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import {
  buildSample,
  listSampleTypes,
  type Sample,
} from "#lib/core/providers/samples/build-sample.ts";
import { createSampleMark, sampleHeader } from "#lib/core/providers/samples/sample-mark.ts";
import {
  canSign,
  finishSample,
  type SignedSample,
  signSample,
} from "#lib/core/providers/samples/sign-sample.ts";
import { catchUrl } from "#lib/core/verify/hook/catch-url.ts";
import { readScheme, readSettings } from "#lib/core/verify/hook/hook-rules.ts";
import { openSecrets } from "#lib/core/verify/hook/hook-secrets.ts";
import type { Scheme } from "#lib/core/verify/scheme/scheme.ts";
import { readActiveSecrets } from "#lib/db/hooks/evaluation-hook.ts";
import type { HookRecord } from "#lib/db/hooks/hook-record.ts";
import { getHook } from "#lib/db/hooks/hooks.ts";
import { recordId } from "#lib/schema/field/common.ts";
import { testDeliverySchema } from "#lib/schema/receive/test-delivery.ts";
import { type ServiceContext, service } from "#lib/services/frame/service.ts";
import type { ServiceParts } from "#lib/services/frame/service-parts.ts";

/**
 * A test as a shell command. A secret that would be readable in it is replaced by a placeholder.
 */
export type TestCommand = {
  readonly eventType: string;
  /** The command. Null: it is too large for a command line. */
  readonly command: string | null;
  /** The command works for so many seconds, because the time is signed; null: it doesn't expire. */
  readonly validForSeconds: number | null;
  /** The placeholder to replace in the command manually; null: there is none. */
  readonly placeholder: string | null;
};

/** Returns a shell command that sends a new sample event. Throws like `sendTestDelivery`. */
export const showTestCommand = service({
  permission: "hooks:write",
  input: testDeliverySchema.extend({ id: recordId }),
  run: (context, { id, eventType }) => show(context, id, eventType),
});

async function show(
  context: ServiceContext,
  id: string,
  eventType: string | undefined,
): Promise<TestCommand> {
  const { accountId } = context.actor;
  const hook = await getHook(context.db, accountId, id);
  const prepared = await prepareTestDelivery(context, hook, { eventType, isToShow: true });
  const { request, validForSeconds } = prepared;
  const { body } = request;
  const mark = createSampleMark(context.sealer, {
    accountId,
    hookId: hook.id,
    body,
    nowMs: Date.now(),
  });
  const command = toCurlCommand({
    url: request.url,
    method: request.method,
    headers: [...Object.entries(request.headers), [sampleHeader, mark]],
    body: Buffer.from(body).toString("utf8"),
  });
  const hasPlaceholder = command?.includes(secretPlaceholder) === true;
  return {
    eventType: prepared.eventType,
    command,
    validForSeconds,
    placeholder: hasPlaceholder ? secretPlaceholder : null,
  };
}

export type PreparedTest = {
  readonly eventType: string;
  readonly request: SignedSample;
  /** The allowed age of the proof in seconds; null: unlimited. */
  readonly validForSeconds: number | null;
};

/** The placeholder for a secret in text that is shown. */
const secretPlaceholder = "YOUR-SECRET";
const hiddenBasic = { authorization: `Basic ${secretPlaceholder}-IN-BASE64` };

/** The event types that a test of this hook can have, most common first; empty: any. */
export function listTestTypes({ provider }: Pick<HookRecord, "provider">): readonly string[] {
  return listSampleTypes(provider);
}

/**
 * A sample event of the hook's provider, signed for the hook. With `isToShow` a secret that would
 * be readable is replaced. Throws `conflict` if only the provider can make one, and says what to
 * do.
 */
export async function prepareTestDelivery(
  { db, env, sealer }: ServiceParts,
  hook: HookRecord,
  { eventType, isToShow }: { readonly eventType: string | undefined; readonly isToShow: boolean },
): Promise<PreparedTest> {
  const sample = requireSample(hook, eventType);
  const method = requireMethod(hook);
  const url = catchUrl(env.publicUrl, hook);
  const scheme = findProvider(hook.provider)?.scheme ?? readScheme(hook.verification);
  // The newest that can be opened is the one that the provider would use now.
  const [secret = null] =
    scheme === null ? [] : openSecrets(hook.accountId, await readActiveSecrets(db, hook), sealer);
  // A hook that awaits its secret accepts a sample by its mark alone.
  if (scheme === null || (secret === null && hook.status === "pending")) {
    const request = finishSample(sample, { method, url });
    return { eventType: sample.eventType, request, validForSeconds: null };
  }
  if (!canSign(scheme)) throw rejectPublicKey(hook);
  if (secret === null) throw new AppError("conflict", secretMissing);
  const shown = isToShow && travelsInClear(scheme) ? secretPlaceholder : secret;
  const id = `msg_${randomBytes(12).toString("hex")}`;
  const settings = readSettings(hook.verification);
  const request = signSample(scheme, shown, sample, {
    method,
    url,
    nowMs: Date.now(),
    id,
    settings,
  });
  if (request === null) throw new AppError("conflict", cantBeSigned);
  const isHidden = isToShow && scheme.kind === "basic";
  return {
    eventType: sample.eventType,
    request: isHidden ? { ...request, headers: { ...request.headers, ...hiddenBasic } } : request,
    validForSeconds: windowOf(scheme),
  };
}

function requireSample({ provider }: HookRecord, eventType: string | undefined): Sample {
  const sample = buildSample({ provider, eventType, nowMs: Date.now(), randomBytes });
  if (sample !== null) return sample;
  const message = `must be one of ${listSampleTypes(provider).join(", ")}`;
  throw new AppError("invalid_request", `eventType: ${message}.`, {
    errors: [{ path: "eventType", code: "unknown_value", message }],
  });
}

function requireMethod({ methods }: HookRecord): string {
  const method = ["POST", "PUT", "PATCH"].find((name) => methods.includes(name));
  if (method !== undefined) return method;
  const detail =
    `This hook only accepts ${methods.join(" and ")}, and a test ` +
    "has a body. Allow POST in the hook's settings.";
  throw new AppError("conflict", detail);
}

function rejectPublicKey(hook: HookRecord): AppError {
  const provider = findProvider(hook.provider);
  const [name, more] = [
    provider?.name ?? "The provider",
    provider === undefined ? "" : ` See ${provider.docsUrl}.`,
  ];
  const detail =
    `${name} signs with a key that only it has, so a test can't be made ` +
    `here. Send one from the provider's settings.${more}`;
  return new AppError("conflict", detail);
}

const secretMissing =
  "This hook has no signing secret yet, so a test would be rejected. Add the secret in the hook's settings first.";
const cantBeSigned =
  "A test can't be made for this verification: only the provider knows what to sign, or " +
  "the stored secret doesn't match. Send a test from the provider's settings.";

function travelsInClear({ kind }: Scheme): boolean {
  return kind === "token" || kind === "basic" || kind === "bearer";
}

function windowOf(scheme: Scheme): number | null {
  if (scheme.kind === "code") return scheme.window?.pastSeconds ?? null;
  return "timestamp" in scheme ? (scheme.timestamp?.pastSeconds ?? null) : null;
}
