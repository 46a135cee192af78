import type { Pair } from "#components/ui/form/pairs.ts";
import { type ActionDraft, newDraft } from "./action-draft.ts";

/** Presets to start from. */
export type ActionPreset = {
  readonly id: string;
  readonly title: string;
  readonly does: string;
  readonly draft: Partial<ActionDraft>;
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
    draft: { method: "POST", bodyMode: "fields", bodyFields: newDraft.bodyFields },
  },
  {
    id: "forward",
    title: "Forward as is",
    does: "Send the original body to another URL",
    draft: { name: "Forward", bodyMode: "forward", forward: newDraft.forward },
  },
  {
    id: "slack",
    title: "Slack message",
    does: "Post to a Slack incoming webhook",
    draft: {
      name: "Tell Slack",
      method: "POST",
      url: "https://hooks.slack.com/services/",
      bodyMode: "fields",
      bodyFields: row("text", summary),
    },
  },
  {
    id: "discord",
    title: "Discord message",
    does: "Post to a Discord channel webhook",
    draft: {
      name: "Tell Discord",
      method: "POST",
      url: "https://discord.com/api/webhooks/",
      bodyMode: "fields",
      bodyFields: row("content", summary),
    },
  },
];
