/** The parts of a `multipart/form-data` body, as exchanged by the API, the form, and the database. */
import { z } from "zod";
import { brokenRule } from "#lib/schema/field/command-result.ts";
import { isObjectValue } from "#lib/schema/field/common.ts";

const maxParts = 50;
const maxNameChars = 1_024;
const maxChars = 256 * 1024;

/** The content of a part: text, bytes in base64, or the bytes of the delivery. */
export const partContents = ["text", "base64", "delivery"] as const;
export type PartContent = (typeof partContents)[number];

/** All texts are templates. A part with a file name is a file. */
export type MultipartPart = {
  readonly name: string;
  readonly content: PartContent;
  /** Empty for the bytes of the delivery. */
  readonly value: string;
  readonly fileName: string | null;
  /** Null: none for a field, and `application/octet-stream` for a file. */
  readonly contentType: string | null;
};

const text = (max: number) => z.string().max(max, `must have at most ${max} characters`);

const part = z
  .strictObject({
    name: text(maxNameChars).min(1, "must not be empty"),
    content: z.enum(partContents, { error: "must be text, base64, or delivery" }).default("text"),
    value: text(64 * 1024).default(""),
    fileName: text(maxNameChars).min(1, "must not be empty; omit it for a field").nullish(),
    contentType: text(maxNameChars).min(1, "must not be empty; omit it for none").nullish(),
  })
  .superRefine(checkPart, { when: isObjectValue })
  .transform(
    ({ fileName, contentType, ...rest }): MultipartPart => ({
      ...rest,
      fileName: fileName ?? null,
      contentType: contentType ?? null,
    }),
  )
  .meta({ id: "MultipartPart" });

type WrittenPart = {
  readonly content?: string | undefined;
  readonly value?: string | undefined;
  readonly fileName?: string | null | undefined;
};

function checkPart({ content, value, fileName }: WrittenPart, ctx: z.RefinementCtx): void {
  const isFile = fileName !== undefined && fileName !== null;
  if (content === "base64" && (value === undefined || value === ""))
    addIssue(ctx, "value", "is required for a file in base64", "required");
  if ((content === "base64" || content === "delivery") && !isFile)
    addIssue(ctx, "fileName", "is required for a file", "required");
  if (content === "delivery" && value !== undefined && value !== "")
    addIssue(ctx, "value", "must be omitted: the file is the delivery's own body", "conflict");
}

function addIssue(
  ctx: z.RefinementCtx,
  path: string,
  message: string,
  code: "required" | "conflict",
): void {
  ctx.addIssue({ code: "custom", path: [path], ...brokenRule(code, message) });
}

export const multipartSchema = z
  .array(part)
  .min(1, "must have at least one part")
  .max(maxParts, `must have at most ${maxParts} parts`)
  .refine(
    (parts) => parts.reduce((sum, each) => sum + each.value.length, 0) <= maxChars,
    `must have at most ${maxChars} characters`,
  );
