import type { Command } from "../frame/command.ts";
import { common } from "../frame/common-options.ts";

/** About events that never arrived. */
export const gapCommands: readonly Command[] = [
  {
    name: "gaps",
    operands: ["HOOK", "[SEARCH]"],
    summary: "list the searches for missing events of a hook, or show one",
    options: common,
    load: async () => (await import("./gaps.ts")).runGaps,
  },
  {
    name: "gaps search",
    operands: ["HOOK"],
    summary: "ask a hook's provider which events never arrived",
    options: {
      from: { value: "TIME", summary: "the beginning, such as 7d. Default: 24h, before now" },
      to: { value: "TIME", summary: "the end. Default: now" },
      credential: { value: "NAME", summary: "a saved one. Default: as of the last search" },
      webhook: { value: "URL", summary: "of GitHub and GitLab: its settings page there" },
      ...common,
    },
    load: async () => (await import("./gaps.ts")).runSearchGap,
  },
  {
    name: "gaps take-in",
    operands: ["HOOK", "SEARCH"],
    summary: "take in what a search found",
    options: {
      run: { summary: "run the hook's actions on it" },
      store: { summary: "run no action" },
      types: { value: "TYPES", summary: "only these event types, with commas" },
      rate: { value: "N", summary: "at most N a minute" },
      ...common,
    },
    load: async () => (await import("./gaps.ts")).runTakeInGap,
  },
];
