import { z } from "zod";
import { invalidField } from "#lib/base/errors.ts";
import { parseInput } from "#lib/core/api/parse-input.ts";
import { actionInputSchema, actionPatchSchema } from "#lib/schema/act/action.ts";
import { id } from "../frame/tool.ts";

/** The fields that the three tools for mappings share. */
export const mappingFields = {
  actionId: id.optional().describe("The action to change"),
  hookId: id.optional().describe("Instead of actionId: the hook of a new action"),
  draft: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      "Fields of an action as in the API: name, filter, request {method, url, headers, query, body} or steps. " +
        "What a change omits stays; request is replaced whole. Values are templates: {{ payload.data.id " +
        "}}. No credentials.",
    ),
};

type Draft = Readonly<Record<string, unknown>>;

/** Throws `invalid_request`. */
export function readChange(draft: Draft = {}): z.output<typeof actionPatchSchema> {
  return read(actionPatchSchema, draft);
}

/** Throws `invalid_request`. */
export function readNewAction(draft: Draft = {}): z.output<typeof actionInputSchema> {
  return read(actionInputSchema, draft);
}

function read<Schema extends z.ZodType>(schema: Schema, draft: Draft): z.output<Schema> {
  const at = findSecret(draft, "draft");
  if (at !== null) throw invalidField(at, noSecrets, "not_allowed");
  const parsed: { readonly draft?: unknown } = parseInput(z.object({ draft: schema }), { draft });
  return parsed.draft as z.output<Schema>;
}

const noSecrets =
  "can't be given here. Leave it out: saved credentials stay, and a person enters new ones. {type: " +
  "credential, credentialId} is allowed";

/** The path of the first `auth` with a secret. */
function findSecret(value: unknown, path: string): string | null {
  if (typeof value !== "object" || value === null) return null;
  for (const [name, field] of Object.entries(value)) {
    const at = `${path}.${name}`;
    const isRequest = /\brequest$/.test(path);
    if (isRequest && name === "auth" && !isSaved(field)) return at;
    const found = isRequest && name === "body" ? null : findSecret(field, at);
    if (found !== null) return found;
  }
  return null;
}

function isSaved(auth: unknown): boolean {
  return typeof auth === "object" && auth !== null && "credentialId" in auth;
}
