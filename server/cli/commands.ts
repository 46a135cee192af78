import type { Command } from "./frame/command.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: "doctor",
    operands: [],
    summary: "check the configuration, database, disk, clock, public URL, proxies, and mail server",
    details:
      "Checks this installation and says what to change. It changes nothing itself. Exits with 1 if it\n" +
      "found an error.",
    options: {
      json: { summary: "print the findings as JSON" },
      reach: { value: "URL", summary: "also call this URL, as an action would" },
    },
    load: async () => (await import("./doctor/run-doctor.ts")).runDoctor,
  },
  {
    name: "reset-password",
    operands: ["EMAIL"],
    summary: "give this user a new password, print it, and sign them out everywhere",
    options: {},
    load: async () => (await import("./reset-password.ts")).runResetPassword,
  },
];
