import { gapCommands } from "./commands/gap-commands.ts";
import { shells } from "./completion/completion.ts";
import type { Command } from "./frame/command.ts";
import { common, json, output, profile } from "./frame/common-options.ts";

const found = {
  status: {
    value: "STATUS",
    choices: ["accepted", "duplicate", "rejected", "pending", "handshake", "batch"],
    summary: "accepted, duplicate, rejected, pending, handshake, or batch",
  },
  search: { value: "TEXT", summary: "those that contain this, such as an id or an email" },
  ...common,
};

const pruning = {
  prune: { summary: "delete what has the mark of the files and isn't in them any more" },
  "max-prune-percent": { value: "N", summary: "how much of it at most. Default: 20" },
};
const planJson = { summary: "print the plan as JSON" };

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: "login",
    operands: ["[URL]"],
    summary: "sign in to a server, in your browser",
    details:
      "Shows a code, and opens the page where you allow this machine. The token lasts 90 days. In CI, set\n" +
      "CATCHMENT_URL and CATCHMENT_TOKEN instead.",
    options: {
      "read-only": { summary: "ask for nothing that changes anything" },
      configuration: {
        summary: "also ask for what config needs: to change everything that files have",
      },
      json,
      profile,
    },
    load: async () => (await import("./commands/sign-in.ts")).runLogin,
  },
  {
    name: "logout",
    operands: [],
    summary: "revoke this machine's token",
    options: { profile },
    load: async () => (await import("./commands/sign-in.ts")).runLogout,
  },
  {
    name: "whoami",
    operands: [],
    summary: "show the server and the account that commands use",
    options: common,
    load: async () => (await import("./commands/sign-in.ts")).runWhoami,
  },
  {
    name: "profiles",
    operands: ["[NAME]"],
    summary: "list your sign-ins, or choose one",
    options: { json, output },
    load: async () => (await import("./commands/sign-in.ts")).runProfiles,
  },
  {
    name: "listen",
    operands: ["[HOOK…]"],
    summary: "hand what hooks accept to a program on this machine",
    details:
      "Sends each delivery to a URL as it arrived: its bytes, its headers, its signature. HOOK is a name, a\n" +
      "path, or an id; without one, all hooks. What arrives while you are away comes when you are back.\n" +
      "If the target is down, or responds with 5xx, the delivery is held, and tried eight times.\n" +
      "Exits with 16 then, and the next start begins with that delivery.\n" +
      "With --answer, the provider gets what your program responds, also an error, within 10 s.",
    options: {
      to: { value: "URL", summary: "where to, such as http://localhost:3000/webhooks or 3000" },
      name: {
        value: "NAME",
        summary: "whose place to continue from. Default: this machine and its hooks",
      },
      share: { summary: "split the deliveries among all programs with this name" },
      answer: { summary: "give your program's responses to the provider. Needs HOOK" },
      from: {
        value: "WHEN",
        summary: "last (default), now, or a time such as 2026-11-21T08:00:00Z",
      },
      parallel: { value: "N", summary: "N at the same time, in any order" },
      "max-backlog": { value: "N", summary: "exit with 17 if more than N deliveries wait" },
      "any-target": { summary: "allow a target that isn't this machine" },
      json,
      profile,
    },
    load: async () => (await import("./listen/run-listen.ts")).runListen,
  },
  {
    name: "tail",
    operands: ["[HOOK]"],
    summary: "show deliveries as they arrive, rejected ones too",
    options: found,
    load: async () => (await import("./commands/deliveries.ts")).runTail,
  },
  {
    name: "trigger",
    operands: ["HOOK", "[TYPE]"],
    summary: "send a test delivery to a hook, signed as its provider does",
    options: common,
    load: async () => (await import("./commands/hooks.ts")).runTrigger,
  },
  {
    name: "hooks",
    operands: [],
    summary: "list hooks and their catch URLs",
    options: common,
    load: async () => (await import("./commands/hooks.ts")).runHooks,
  },
  {
    name: "actions",
    operands: ["[HOOK]"],
    summary: "list actions, and whether they run",
    options: common,
    load: async () => (await import("./commands/actions.ts")).runActions,
  },
  {
    name: "actions get",
    operands: ["ACTION"],
    summary: "show an action: what it does, and how its receiver is",
    details: "ACTION is a name or an id. With --json, everything about it.",
    options: common,
    load: async () => (await import("./commands/actions.ts")).runGetAction,
  },
  {
    name: "actions enable",
    operands: ["ACTION"],
    summary: "let an action run on deliveries from now on",
    options: common,
    load: async () => (await import("./commands/actions.ts")).runEnableAction,
  },
  {
    name: "actions disable",
    operands: ["ACTION"],
    summary: "let an action run on no more deliveries",
    options: common,
    load: async () => (await import("./commands/actions.ts")).runDisableAction,
  },
  {
    name: "deliveries",
    operands: ["[HOOK]"],
    summary: "list the newest deliveries",
    options: { limit: { value: "N", summary: "at most N, up to 100. Default: 20" }, ...found },
    load: async () => (await import("./commands/deliveries.ts")).runDeliveries,
  },
  {
    name: "why",
    operands: ["DELIVERY"],
    summary: "say why each action did or didn't run on a delivery",
    options: common,
    load: async () => (await import("./commands/deliveries.ts")).runWhy,
  },
  {
    name: "replay",
    operands: ["DELIVERY"],
    summary: "run a delivery's actions again",
    options: common,
    load: async () => (await import("./commands/deliveries.ts")).runReplay,
  },
  ...gapCommands,
  {
    name: "events publish",
    operands: ["TYPE"],
    summary: "publish an event to your subscribers",
    details: "Reads the data as JSON from --data, from --file, or from a pipe.",
    options: {
      data: { value: "JSON", summary: "its data" },
      file: { value: "PATH", summary: "a file with its data" },
      id: { value: "ID", summary: "its id, so that it is published once" },
      recipient: { value: "ID", summary: "the customer it is for" },
      ...common,
    },
    load: async () => (await import("./commands/publish.ts")).runPublish,
  },
  {
    name: "usage",
    operands: [],
    summary: "show what the account has used, by day, hook, or recipient",
    details: "Days are those of UTC. Without dates, the last 30 days.",
    options: {
      by: {
        value: "WHAT",
        choices: ["day", "hook", "recipient"],
        summary: "day (default), hook, or recipient",
      },
      from: { value: "DATE", summary: "the first day, such as 2026-11-01" },
      to: { value: "DATE", summary: "the day after the last one" },
      recipient: { value: "ID", summary: "only this customer" },
      ...common,
    },
    load: async () => (await import("./commands/usage.ts")).runUsage,
  },
  {
    name: "config export",
    operands: [],
    summary: "print the configuration as YAML, without secrets",
    options: { json: { summary: "print JSON" }, profile },
    load: async () => (await import("./config/run-config.ts")).runExport,
  },
  {
    name: "config plan",
    operands: ["[FILE…]"],
    summary: "show what files would change in the account",
    details:
      "FILE is YAML or JSON, a folder of them, or - for a pipe. Default: catchment.yaml. Secrets can come from\n" +
      `the environment, as \${env:NAME}. Exits with 2 if anything would change, and with 0 if nothing would.`,
    options: { ...pruning, json: planJson, profile },
    load: async () => (await import("./config/run-config.ts")).runPlan,
  },
  {
    name: "config apply",
    operands: ["[FILE…]"],
    summary: "change the account to what files say, all of it or nothing",
    details:
      "Shows the plan, and asks. Without a terminal, --yes applies what it has shown, and --plan-id what\n" +
      "config plan --json has shown before: if anything planned was changed since, it does nothing.",
    options: {
      ...pruning,
      yes: { summary: "don't ask" },
      "plan-id": { value: "ID", summary: "apply this plan of the same files" },
      json: planJson,
      profile,
    },
    load: async () => (await import("./config/run-config.ts")).runApply,
  },
  {
    name: "config promote",
    operands: [],
    summary: "bring one account's configuration to another, such as from staging to production",
    details:
      "Shows the plan, and asks. Secrets stay where they are: credentials and alert channels of the same\n" +
      "names have to be there. Recipients and their subscriptions stay, unless you add --customers.",
    options: {
      from: { value: "PROFILE", summary: "the sign-in to copy from" },
      to: { value: "PROFILE", summary: "the sign-in to change" },
      "managed-by": { value: "NAME", summary: "the mark on what is copied, for --prune" },
      customers: { summary: "also recipients and subscriptions" },
      ...pruning,
      yes: { summary: "don't ask" },
      json: planJson,
    },
    load: async () => (await import("./config/run-config.ts")).runPromote,
  },
  {
    name: "doctor",
    operands: [],
    summary: "check the connection, the version, the clock, the token, and the target",
    details:
      "Checks what stands between this machine and your account, and says what to change. It changes\n" +
      "nothing itself. Exits with 1 if it found an error. The server has a doctor of its own.",
    options: {
      to: { value: "URL", summary: "also check that a program listens there" },
      ...common,
    },
    load: async () => (await import("./doctor/run-doctor.ts")).runDoctor,
  },
  {
    name: "completion",
    operands: ["SHELL"],
    choices: shells,
    summary: "print the completion of bash, zsh, or fish",
    details:
      "bash, in ~/.bashrc: source <(catchment completion bash)\n" +
      "zsh, in ~/.zshrc, after compinit: source <(catchment completion zsh)\n" +
      "fish: catchment completion fish > ~/.config/fish/completions/catchment.fish",
    options: {},
    load: async () => (await import("./completion/run-completion.ts")).runCompletion,
  },
];
