import { z } from "zod";
import { findProvider } from "#lib/core/providers/catalog/catalog.ts";
import { takesVerifyToken, toVerifyToken } from "#lib/core/verify/handshake/verify-token.ts";
import { catchUrl } from "#lib/core/verify/hook/catch-url.ts";
import { isComplete } from "#lib/core/verify/hook/hook-rules.ts";
import { findHandshakes, isReplayProtected } from "#lib/core/verify/hook/hook-verifier.ts";
import { dedupeRuleSchema, eventTypeRuleSchema } from "#lib/schema/receive/event-rules.ts";
import { hookPublishSchema, hookStatusSchema } from "#lib/schema/receive/hook.ts";
import { storedHookReplySchema } from "#lib/schema/receive/hook-reply.ts";
import { hookCorsSchema, hookResponseSchema } from "#lib/schema/receive/hook-response.ts";
import { hookSilenceSchema } from "#lib/schema/receive/hook-silence.ts";
import { hookVerificationSchema } from "#lib/schema/receive/verification.ts";
import type { HookRecord, SavedHook } from "#lib/services/hooks/read-hooks.ts";
import { view } from "#lib/web/route/view.ts";

const secretSchema = z.object({
  id: z.string(),
  hint: z.string().describe("The last 4 characters"),
  origin: z.enum(["pasted", "handshake"]),
  createdAt: z.date(),
  expiresAt: z.date().nullable(),
});

const hookSchema = z
  .object({
    id: z.string(),
    name: z.string(),
    status: hookStatusSchema,
    catchUrl: z.string().describe("The URL to paste into the provider"),
    path: z
      .string()
      .nullable()
      .describe("The last segment of `catchUrl`, if you chose it. Null: it is generated"),
    previousCatchUrls: z
      .array(z.object({ catchUrl: z.string(), expiresAt: z.date() }))
      .describe("Replaced URLs that still work"),
    provider: z.string(),
    verification: hookVerificationSchema.nullable(),
    dedupe: dedupeRuleSchema,
    eventType: eventTypeRuleSchema,
    methods: z.array(z.string()),
    response: hookResponseSchema.nullable(),
    splitBatches: z.boolean(),
    toleranceSeconds: z.int().nullable(),
    replayProtection: z.boolean(),
    ratePerSecond: z.int().nullable(),
    publish: hookPublishSchema.nullable(),
    cors: hookCorsSchema.nullable(),
    silence: hookSilenceSchema,
    fieldSearch: z.boolean(),
    fieldSearchUntil: z
      .date()
      .nullable()
      .describe("Deliveries that arrived before this are indexed by their fields"),
    retentionDays: z.int().nullable(),
    retentionCount: z.int().nullable(),
    reply: storedHookReplySchema.nullable(),
    pending: z
      .object({ since: z.date(), until: z.date() })
      .nullable()
      .describe("Set while it waits for its secret"),
    verifyToken: z.string().nullable().describe("What Meta and eBay need besides the URL"),
    secretHint: z.string().nullable().describe("The last 4 characters of the newest secret"),
    secrets: z.array(secretSchema).describe("Active secrets, newest first"),
    createdAt: z.date(),
    updatedAt: z.date(),
  })
  .meta({ id: "Hook" });

/** A hook in the API's responses, with only hints of its secrets. */
export const hookView = view(hookSchema, (hook: HookRecord, { env: { publicUrl } }) => {
  const {
    accountId: _,
    accountSlug: _slug,
    key: _key,
    previousKeys,
    pending,
    secrets,
    ...shown
  } = hook;
  return {
    ...shown,
    methods: [...hook.methods],
    catchUrl: catchUrl(publicUrl, hook),
    previousCatchUrls: previousKeys.map((previous) => ({
      catchUrl: catchUrl(publicUrl, { ...hook, key: previous.key, path: null }),
      expiresAt: previous.expiresAt,
    })),
    replayProtection: isReplayProtected(hook),
    pending,
    verifyToken: readVerifyToken(hook),
    secretHint: secrets[0]?.hint ?? null,
    secrets: [...secrets],
  };
});

const warnings = z.array(z.string()).describe("What looks wrong or is missing, and what to do");

/** A hook after a change. */
export const savedHookView = view(
  hookSchema.extend({ warnings }).meta({ id: "ChangedHook" }),
  ({ hook, warnings: given }: SavedHook, context) => ({
    ...hookView.show(hook, context),
    warnings: [...given],
  }),
);

export function providerName(id: string): string {
  if (id === "generic") return "Other (unsigned)";
  if (id === "custom") return "Custom signature";
  return findProvider(id)?.name ?? id;
}

/** The token to give the provider besides the catch URL; null if it wants none. */
export function readVerifyToken(hook: HookRecord): string | null {
  return takesVerifyToken(findHandshakes(hook)) ? toVerifyToken(hook.key) : null;
}

/**
 * True if the hook is set to verify and lacks its secret or settings, so deliveries are rejected,
 * or pending while it awaits them.
 */
export function isSecretMissing(hook: HookRecord): boolean {
  return !isComplete(hook, hook.secrets.length > 0);
}
