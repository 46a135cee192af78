import type { Codec } from "#components/ui/form/codec.ts";
import { type Pair, readPairs, toPairs } from "#components/ui/form/pairs.ts";

type ReplyPartsView = {
  readonly status: number | string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

/** The hook's reply as in the API. */
export type HookReplyView = ReplyPartsView & {
  readonly actionId: string;
  readonly waitSeconds: number;
  readonly onFailure: ReplyPartsView | null;
};

export type ReplyingAction = {
  readonly id: string;
  readonly name: string;
  readonly isOn: boolean;
  readonly stepKeys: readonly string[];
};

export type ReplyPartsDraft = {
  readonly status: string;
  readonly type: string;
  readonly body: string;
  /** Headers without the content type. */
  readonly headers: readonly Pair[];
};

export type ReplyDraft = {
  readonly isOn: boolean;
  readonly actionId: string;
  readonly waitSeconds: string;
  readonly success: ReplyPartsDraft;
  readonly hasFailure: boolean;
  readonly failure: ReplyPartsDraft;
};

/** The fixed response of a hook. */
export type ResponseDraft = {
  readonly mode: "ours" | "own";
  readonly status: string;
  readonly type: string;
  readonly body: string;
};

export type ResponseForm = { readonly response: ResponseDraft; readonly reply: ReplyDraft };

export function replyOf(
  actions: readonly ReplyingAction[],
): Codec<HookReplyView | null, ReplyDraft> {
  return { text: (reply) => toReplyDraft(reply, actions), read: toReplyInput };
}

/** A new reply shows the response of the action's last step that has one. */
function toReplyDraft(reply: HookReplyView | null, actions: readonly ReplyingAction[]): ReplyDraft {
  const [first] = actions;
  const key = first?.stepKeys.at(-1) ?? "call";
  const usual = {
    status: 200,
    headers: { "content-type": "application/json" },
    body: `{"ok": true, "result": {{ steps.${key}.body }}}`,
  };
  const failed = { status: 424, headers: {}, body: "The action failed." };
  return {
    isOn: reply !== null,
    actionId: reply?.actionId ?? first?.id ?? "",
    waitSeconds: String(reply?.waitSeconds ?? 10),
    success: toParts(reply ?? usual),
    hasFailure: reply !== null && reply.onFailure !== null,
    failure: toParts(reply?.onFailure ?? failed),
  };
}

/** The draft as API input. Null: no action replies. */
function toReplyInput(draft: ReplyDraft) {
  if (!draft.isOn) return null;
  return {
    actionId: draft.actionId,
    waitSeconds: Number(draft.waitSeconds.trim() === "" ? Number.NaN : draft.waitSeconds),
    ...fromParts(draft.success),
    onFailure: draft.hasFailure ? fromParts(draft.failure) : null,
  };
}

function toParts({ status, headers, body }: ReplyPartsView): ReplyPartsDraft {
  const entries = Object.entries(headers);
  const isType = ([name]: [string, string]) => name.toLowerCase() === "content-type";
  return {
    status: String(status),
    type: entries.find(isType)?.[1] ?? "",
    body,
    headers: toPairs(Object.fromEntries(entries.filter((entry) => !isType(entry)))),
  };
}

function fromParts({ status, type, body, headers }: ReplyPartsDraft) {
  const ofType = type.trim() === "" ? {} : { "content-type": type.trim() };
  return { status: status.trim(), headers: { ...readPairs(headers), ...ofType }, body };
}
