import type { Command } from "./frame/command.ts";

const json = { summary: "print JSON, one value on each line" };
const profile = { value: "NAME", summary: "another sign-in than the current one" };
const common = { json, profile };
const found = {
  status: {
    value: "STATUS",
    summary: "accepted, duplicate, rejected, pending, handshake, or batch",
  },
  search: { value: "TEXT", summary: "those that contain this, such as an id or an email" },
  ...common,
};

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: "login",
    operands: ["[URL]"],
    summary: "sign in to a server, in your browser",
    details:
      "Shows a code, and opens the page where you allow this machine. The token lasts 90 days. In CI, set\n" +
      "CATCHMENT_URL and CATCHMENT_TOKEN instead.",
    options: { "read-only": { summary: "ask for nothing that changes anything" }, profile },
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
    options: {},
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
      "Exits with 16 then, and the next start begins with that delivery.",
    options: {
      to: { value: "URL", summary: "where to, such as http://localhost:3000/webhooks or 3000" },
      name: {
        value: "NAME",
        summary: "whose place to continue from. Default: this machine and its hooks",
      },
      share: { summary: "split the deliveries among all programs with this name" },
      from: {
        value: "WHEN",
        summary: "last (default), now, or a time such as 2026-11-21T08:00:00Z",
      },
      parallel: { value: "N", summary: "N at the same time, in any order" },
      "max-backlog": { value: "N", summary: "exit with 17 if more than N deliveries wait" },
      "any-target": { summary: "allow a target that isn't this machine" },
      ...common,
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
];
