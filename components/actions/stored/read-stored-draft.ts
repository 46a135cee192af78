import { z } from "zod";
import { mapOptions } from "#lib/schema/act/action-options.ts";
import { partContents } from "#lib/schema/act/multipart.ts";
import { successSchema } from "#lib/schema/act/success.ts";
import type { ActionDraft } from "../draft/action-draft.ts";
import { type ConditionDraft, type GroupDraft, operators } from "../draft/filter-draft.ts";
import { newRequest, type RequestDraft } from "../draft/request-draft.ts";
import type { RetryDraft } from "../draft/retry-draft.ts";
import type { StepDraft, StepKind, WorkOf } from "../draft/step-draft.ts";

/**
 * Reads a stored draft. Null: another release wrote it in another form. Pages read drafts on the
 * server, so that no browser loads this.
 */
export function readStoredDraft(content: string): ActionDraft | null {
  const read = z.safeParse(actionDraft, JSON.parse(content));
  return read.success ? read.data : null;
}

const text = z.string();
const flag = z.boolean();

const condition: z.ZodType<ConditionDraft> = z.object({
  key: z.int(),
  path: text,
  op: z.enum(operators.map(({ op }) => op)),
  value: text,
  get where() {
    return group.exactOptional();
  },
});

const groupFields = {
  match: z.enum(["all", "any", "none"]),
  rows: z.array(condition),
};
const group: z.ZodType<GroupDraft> = z.object(groupFields);
const filter = z.object({ ...groupFields, mode: z.enum(["rows", "json"]), json: text });

const pairs = z.array(
  z.object({ key: z.int(), name: text, value: text, isStored: flag.exactOptional() }),
);

const part = z.object({
  key: z.int(),
  kind: z.enum(["field", ...partContents]),
  name: text,
  value: text,
  fileName: text,
  contentType: text,
});

const request: z.ZodType<RequestDraft> = z.object({
  method: text,
  url: text,
  headers: pairs,
  query: pairs,
  bodyMode: z.enum(["none", "fields", "json", "text", "multipart", "forward"]),
  bodyFields: pairs,
  bodyJson: text,
  bodyText: text,
  // Drafts that an older release stored have none.
  parts: z.array(part).default([...newRequest.parts]),
  forward: z.object({
    method: flag,
    query: flag,
    headers: z.enum(["all", "named", "none"]),
    headerNames: text,
  }),
  auth: z.object({
    type: z.enum(["keep", "none", "credential", "bearer", "basic", "header", "query", "body"]),
    credentialId: text,
    token: text,
    username: text,
    password: text,
    headerName: text,
    value: text,
  }),
  destinationId: text.nullable(),
});

const retry: z.ZodType<RetryDraft> = z.object({
  maxAttempts: text,
  firstWait: text,
  maxWait: text,
  onConnection: flag,
  onTimeout: flag,
  onServerErrors: flag,
  onUnsuccessful: flag,
  statuses: text,
  giveUpAfter: text,
});

const works: { readonly [Kind in StepKind]: z.ZodType<WorkOf<Kind>> } = {
  call: z.object({
    kind: z.literal("call"),
    request,
    timeout: text,
    retry: retry.nullable(),
    onUnknown: z.enum(["", "repeat", "ask"]),
    success: successSchema.nullable(),
  }),
  transform: z.object({ kind: z.literal("transform"), code: text }),
  delay: z.object({
    kind: z.literal("delay"),
    mode: z.enum(["for", "until"]),
    for: text,
    until: text,
  }),
  publish: z.object({ kind: z.literal("publish"), type: text, recipient: text, data: text }),
};

const step: z.ZodType<StepDraft> = z.object({
  id: z.int(),
  key: text,
  name: text,
  formerKey: text.nullable(),
  when: filter,
  forEach: z.object({ path: text, parallel: text }).nullable(),
  onFailure: z.enum(["stop", "continue", "steps"]),
  get branch() {
    return z.array(step);
  },
  work: z.union(Object.values(works)),
});

const actionDraft: z.ZodType<ActionDraft> = z.object({
  name: text,
  enabled: flag,
  position: text,
  filter,
  steps: z.array(step).min(1),
  retry,
  options: z.object(mapOptions(() => text)),
  control: z.object({
    successStatuses: text,
    successWhen: filter,
    orderBy: text,
    orderSkip: text,
    hasBreaker: flag,
    breaker: z.object({ failures: text, windowSeconds: text, openSeconds: text }),
  }),
  rateCount: text,
  rateSeconds: text,
});
