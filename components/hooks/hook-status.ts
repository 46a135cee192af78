import type { Tone } from "#components/ui/status/badge.tsx";
import type { HookStatus } from "#lib/schema/receive/hook.ts";

export const hookStatusWords: Readonly<Record<HookStatus, { words: string; tone: Tone }>> = {
  active: { words: "Active", tone: "positive" },
  pending: { words: "Awaiting secret", tone: "caution" },
  paused: { words: "Paused", tone: "caution" },
  disabled: { words: "Disabled", tone: "negative" },
};
