import { z } from "zod";
import { invalidField } from "#lib/base/errors.ts";
import { readKnown } from "#lib/services/actions/known-calls.ts";
import {
  checkChange,
  checkNewAction,
  storeProposal,
} from "#lib/services/actions/propose-action.ts";
import { type ToolCall, tool } from "../frame/tool.ts";
import { mappingFields, readChange, readNewAction } from "./mapping-input.ts";

export const proposeMapping = tool({
  name: "propose_mapping",
  title: "Propose a mapping",
  description:
    "Leaves a change to an action, or a new action, as a draft in the editor of the person who made " +
    "this token, and returns " +
    "the link for them. Nothing runs until they save it.",
  permissions: ["hooks:write", "hooks:read"],
  input: z.strictObject(mappingFields),
  run: async (call, { actionId, hookId, draft }) => {
    if ((actionId === undefined) === (hookId === undefined))
      throw invalidField("actionId", "is required, or hookId for a new action: one of them");
    if (draft === undefined) throw invalidField("draft", "is required", "required");
    const { context, writeDraft } = call;
    const { action, version } = await check(call, { actionId, hookId, draft });
    const known = [...readKnown(context.sealer, action, action)];
    const withAuth = known.filter(
      ([, { auth, request }]) => auth !== null || request.credentialId !== undefined,
    );
    const content = writeDraft(action, new Set(withAuth.map(([key]) => key)));
    const place = { hookId: action.hookId, actionId: actionId === undefined ? null : action.id };
    await storeProposal(context, { ...place, version, content });
    const path =
      place.actionId === null
        ? `/hooks/${action.hookId}/actions/new`
        : `/actions/${place.actionId}`;
    const url = `${context.env.publicUrl}${path}`;
    return {
      lines: [
        "The draft is stored. Nothing runs with it yet.",
        `Give the person this link to look at it, try it, and save it: ${url}`,
      ],
      data: { url, ...place, version },
    };
  },
});

type Given = {
  readonly actionId: string | undefined;
  readonly hookId: string | undefined;
  readonly draft: Readonly<Record<string, unknown>>;
};

/** A draft is checked here for credentials, and parsed again by the service. */
async function check({ context }: ToolCall, { actionId, hookId, draft }: Given) {
  if (actionId !== undefined) {
    readChange(draft);
    return await checkChange(context, { actionId, draft });
  }
  readNewAction(draft);
  const made = { hookId: hookId ?? "", draft } as Parameters<typeof checkNewAction>[1];
  return await checkNewAction(context, made);
}
