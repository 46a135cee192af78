import type { HookStatus } from "#lib/schema/hook.ts";
import type { Tone } from "./ui/badge.tsx";

export const hookStatusWords: Readonly<Record<HookStatus, { words: string; tone: Tone }>> = {
  active: { words: "Active", tone: "positive" },
  pending: { words: "Waits for its secret", tone: "caution" },
  paused: { words: "Paused", tone: "caution" },
  disabled: { words: "Disabled", tone: "negative" },
};
