import { z } from "zod";
import type { ActionDraft } from "#components/action-draft.ts";
import { readDraft } from "#components/action-draft.ts";
import { operators } from "#components/filter-draft.ts";
import { AppError } from "#lib/errors.ts";
import { type ActionInput, actionInputSchema } from "#lib/schema/action.ts";

const text = z.string().max(70_000);
const pairs = z.array(z.strictObject({ key: z.number(), name: text, value: text })).max(100);

/** What the editor sends: text, which the API's own schema reads afterwards. */
export const draftSchema = z.strictObject({
  name: text,
  method: text,
  url: text,
  timeoutSeconds: text,
  headers: pairs,
  query: pairs,
  bodyMode: z.enum(["none", "fields", "json", "text"]),
  bodyFields: pairs,
  bodyJson: text,
  bodyText: text,
  auth: z.strictObject({
    type: z.enum(["keep", "none", "bearer", "basic", "header"]),
    token: text,
    username: text,
    password: text,
    headerName: text,
    value: text,
  }),
  enabled: z.boolean(),
  position: text,
  filter: z.strictObject({
    mode: z.enum(["rows", "json"]),
    match: z.enum(["all", "any"]),
    rows: z
      .array(z.strictObject({ key: z.number(), path: text, op: z.enum(operators.map(({ op }) => op)), value: text }))
      .max(100),
    json: text,
  }),
  retry: z.strictObject({
    maxAttempts: text,
    firstWait: text,
    longestWait: text,
    onConnection: z.boolean(),
    onTimeout: z.boolean(),
    onServerErrors: z.boolean(),
    statuses: text,
  }),
  maxConcurrency: text,
}) satisfies z.ZodType<ActionDraft>;

/** Throws `invalid_request` with what is wrong, by field. */
export function parseDraft(draft: ActionDraft): ActionInput {
  const read = readDraft(draft);
  if (!read.ok) throw new AppError("invalid_request", "Check the marked fields.", { errors: read.errors });
  const parsed = actionInputSchema.safeParse(read.input);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map(({ path, message }) => ({ path: path.join("."), message }));
  throw new AppError("invalid_request", "Check the marked fields.", { errors });
}
