import type { Pair } from "#components/ui/form/pairs.ts";
import { newRequest, type RequestDraft } from "./request-draft.ts";

/** The values that a start fills in. */
export type ActionStart = { readonly name?: string; readonly request: Partial<RequestDraft> };

/** Presets to start from. */
type ActionPreset = {
  readonly id: string;
  readonly title: string;
  readonly does: string;
  readonly start: ActionStart;
};

function row(name: string, value: string): readonly Pair[] {
  return [{ key: 0, name, value }];
}

const summary = "{{ delivery.eventType | default: 'A delivery' }} came in at {{ hook.name }}";

export const actionPresets: readonly ActionPreset[] = [
  {
    id: "json",
    title: "POST JSON",
    does: "Build a JSON body field by field",
    start: {
      request: { method: "POST", bodyMode: "fields", bodyFields: newRequest.bodyFields },
    },
  },
  {
    id: "forward",
    title: "Forward as is",
    does: "Send the original body to another URL",
    start: {
      name: "Forward",
      request: { bodyMode: "forward", forward: newRequest.forward },
    },
  },
  {
    id: "slack",
    title: "Slack message",
    does: "Post to a Slack incoming webhook",
    start: {
      name: "Tell Slack",
      request: {
        method: "POST",
        url: "https://hooks.slack.com/services/",
        bodyMode: "fields",
        bodyFields: row("text", summary),
      },
    },
  },
  {
    id: "discord",
    title: "Discord message",
    does: "Post to a Discord channel webhook",
    start: {
      name: "Tell Discord",
      request: {
        method: "POST",
        url: "https://discord.com/api/webhooks/",
        bodyMode: "fields",
        bodyFields: row("content", summary),
      },
    },
  },
];
