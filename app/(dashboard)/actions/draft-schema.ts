import { z } from "zod";
import type { ActionDraft } from "#components/actions/draft/action-draft.ts";
import { readDraft } from "#components/actions/draft/action-draft.ts";
import {
  type FilterDraft,
  operators,
  readFilterDraft,
} from "#components/actions/draft/filter-draft.ts";
import { AppError } from "#lib/errors.ts";
import { type ActionInput, actionInputSchema } from "#lib/schema/action.ts";
import { type ActionFilter, actionFilterSchema } from "#lib/schema/action-filter.ts";

const text = z.string().max(70_000);
const pairs = z.array(z.strictObject({ key: z.number(), name: text, value: text })).max(100);

export const filterDraftSchema = z.strictObject({
  mode: z.enum(["rows", "json"]),
  match: z.enum(["all", "any"]),
  rows: z
    .array(
      z.strictObject({
        key: z.number(),
        path: text,
        op: z.enum(operators.map(({ op }) => op)),
        value: text,
      }),
    )
    .max(100),
  json: text,
}) satisfies z.ZodType<FilterDraft>;

/** What the editor sends: text, which the API's own schema reads afterwards. */
export const draftSchema = z.strictObject({
  name: text,
  method: text,
  url: text,
  timeoutSeconds: text,
  headers: pairs,
  query: pairs,
  bodyMode: z.enum(["none", "fields", "json", "text", "forward"]),
  bodyFields: pairs,
  // As much as the API takes.
  bodyJson: z.string().max(300_000),
  bodyText: text,
  forward: z.strictObject({
    method: z.boolean(),
    query: z.boolean(),
    headers: z.enum(["all", "named", "none"]),
    headerNames: text,
  }),
  auth: z.strictObject({
    type: z.enum(["keep", "none", "bearer", "basic", "header", "query", "body"]),
    token: text,
    username: text,
    password: text,
    headerName: text,
    value: text,
  }),
  enabled: z.boolean(),
  position: text,
  filter: filterDraftSchema,
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
  if (!read.ok)
    throw new AppError("invalid_request", "Check the marked fields.", { errors: read.errors });
  const parsed = actionInputSchema.safeParse(read.input);
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues);
}

/** The filter alone, whatever the rest of the form holds. */
export function parseFilterDraft(draft: FilterDraft): ActionFilter | null {
  const read = readFilterDraft(draft);
  if (!read.ok)
    throw new AppError("invalid_request", "Check the marked fields.", { errors: read.errors });
  const parsed = actionFilterSchema.nullable().safeParse(read.filter);
  if (parsed.success) return parsed.data;
  throw refuse(parsed.error.issues);
}

function refuse(issues: readonly z.core.$ZodIssue[]): AppError {
  const errors = issues.map(({ path, message }) => ({ path: path.join("."), message }));
  return new AppError("invalid_request", "Check the marked fields.", { errors });
}
