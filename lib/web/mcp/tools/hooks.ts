import { z } from "zod";
import { encodeCursor } from "#lib/core/api/page.ts";
import { listActions, getAction as readAction } from "#lib/services/actions/read-actions.ts";
import { getHook as readHook, listHooks as readHooks } from "#lib/services/hooks/read-hooks.ts";
import { actionWithBreakerView } from "#lib/web/actions/action-view.ts";
import { hookView, isSecretMissing } from "#lib/web/hooks/hook-view.ts";
import { toJsonText } from "#lib/web/route/api-json.ts";
import { bytesOf, fitItems, fitText, type Result } from "../frame/result.ts";
import { cursor, id, maxBytes, offset, tool } from "../frame/tool.ts";
import { quote, visible } from "../frame/visible-text.ts";

export const listHooks = tool({
  name: "list_hooks",
  title: "List hooks",
  description: "The account's hooks, which catch webhooks, newest first.",
  permissions: ["hooks:read"],
  input: z.strictObject({ limit: z.int().min(1).max(100).default(30), cursor, maxBytes }),
  run: async ({ context }, { limit, maxBytes: room, ...query }) => {
    const page = await readHooks(context, { ...query, limit: String(limit) });
    const { part, count } = fitItems(page.items, room, (hook) => {
      const { id: hookId, name, status, provider, createdAt } = hook;
      const missing = isSecretMissing(hook);
      const state = missing ? `${status}, its secret is missing` : status;
      return {
        line: `${hookId} ${quote(name)} ${provider}, ${state}`,
        data: { id: hookId, name, status, provider, isSecretMissing: missing, createdAt },
      };
    });
    const last = page.items[count - 1];
    const isCut = count < page.items.length && last !== undefined;
    const nextCursor = isCut ? encodeCursor(last.id) : page.nextCursor;
    return {
      lines: [count === 0 ? "No hooks." : `${count} hooks, newest first.`, ...part.lines],
      data: { hooks: part.data },
      next:
        nextCursor === null
          ? undefined
          : { tool: "list_hooks", arguments: { limit, maxBytes: room, cursor: nextCursor } },
    };
  },
});

/** The maximum per hook. */
const maxActions = 100;

export const getHook = tool({
  name: "get_hook",
  title: "Get a hook",
  description: "A hook's settings without secrets, its catch URL, and its actions.",
  permissions: ["hooks:read"],
  input: z.strictObject({ id, offset, maxBytes }),
  run: async ({ context }, { id: hookId, offset: from, maxBytes: room }) => {
    const [hook, { items }] = await Promise.all([
      readHook(context, { id: hookId }),
      listActions(context, { id: hookId, limit: String(maxActions) }),
    ]);
    const {
      verifyToken: _,
      secretHint: _hint,
      secrets,
      ...settings
    } = hookView.show(hook, context);
    const actions = items.map(({ id: of, name, enabled, version, request, steps }) => ({
      ...{ id: of, name, enabled, version },
      does: request === null ? `${steps?.length ?? 0} steps` : `${request.method} ${request.url}`,
    }));
    const shown = { ...settings, secretCount: secrets.length, actions };
    const args = { id: hookId, maxBytes: room };
    return showWhole(`Hook ${hook.id}`, shown, { tool: "get_hook", args, from, room });
  },
});

export const getAction = tool({
  name: "get_action",
  title: "Get an action",
  description:
    "What an action does with a delivery: its filter, and its request or steps with their templates, " +
    "without secrets.",
  permissions: ["hooks:read"],
  input: z.strictObject({ id, offset, maxBytes }),
  run: async ({ context }, { id: actionId, offset: from, maxBytes: room }) => {
    const found = await readAction(context, { id: actionId });
    const shown = actionWithBreakerView.show(found, context) as object;
    const args = { id: actionId, maxBytes: room };
    return showWhole(`Action ${actionId}`, shown, { tool: "get_action", args, from, room });
  },
});

type Paged = {
  readonly tool: string;
  readonly args: object;
  readonly from: number;
  readonly room: number;
};

/** A record as lines and as JSON, or a part of its text if the result has no room for both. */
function showWhole(title: string, record: object, { tool: name, args, from, room }: Paged): Result {
  const plain = JSON.parse(toJsonText(record), withoutHints) as object;
  const text = visible(JSON.stringify(plain, null, 1));
  if (from === 0 && bytesOf(text) + bytesOf(plain) < room - 400)
    return { lines: [title, text], data: plain };
  const fit = fitText(text, from, room);
  return {
    lines: [`${title}: characters ${from} to ${fit.end} of ${text.length}.`, fit.text],
    data: { offset: from, end: fit.end, total: text.length, text: fit.text },
    next:
      fit.end < text.length ? { tool: name, arguments: { ...args, offset: fit.end } } : undefined,
  };
}

/** The last characters of a secret are no one's business here. */
function withoutHints(name: string, value: unknown): unknown {
  return name === "hint" ? undefined : value;
}
