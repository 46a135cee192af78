import { z } from "zod";
import type { Diagnosis } from "#lib/core/verify/diagnose/diagnosis.ts";
import { view } from "#lib/web/route/view.ts";

const words = {
  label: z.string().describe("The text of a button"),
  effect: z.string().describe("What the fix changes"),
};

const fix = z
  .discriminatedUnion("kind", [
    z.object({ kind: z.literal("change_provider"), provider: z.string(), ...words }),
    z.object({
      kind: z.literal("change_verification"),
      verification: z.unknown().describe("As of a hook whose provider is `custom`"),
      ...words,
    }),
    z.object({
      kind: z.literal("replace_secret"),
      secretId: z.string(),
      change: z.string(),
      ...words,
    }),
    z.object({
      kind: z.literal("extend_secret"),
      secretId: z.string(),
      seconds: z.int(),
      ...words,
    }),
    z.object({ kind: z.literal("allow_method"), method: z.string(), ...words }),
  ])
  .describe("Can be applied on the delivery's page");

const diagnosisSchema = z
  .object({
    verdict: z.enum(["explained", "unexplained", "not_failed"]),
    findings: z
      .array(
        z.object({
          code: z.string(),
          sentence: z.string().describe("What is wrong, and how to fix it"),
          confidence: z.enum(["certain", "likely", "possible"]),
          fix: fix.nullable(),
          suggestedProvider: z.object({ id: z.string(), name: z.string() }).optional(),
        }),
      )
      .readonly(),
    tried: z.int().describe("Variants that were verified"),
    isComplete: z.boolean().describe("False: it stopped before everything was tried"),
    triedWhat: z.string().nullable(),
    next: z.string().nullable().describe("What to do next, if nothing explains it"),
  })
  .meta({ id: "Diagnosis" });

export const diagnosisView = view(
  diagnosisSchema,
  ({ diagnosis }: { readonly diagnosis: Diagnosis }) => diagnosis,
);
