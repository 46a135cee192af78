import type { Command } from "./command.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
  {
    name: "reset-password",
    operands: ["EMAIL"],
    summary: "give this user a new password, print it, and sign them out everywhere",
    options: {},
    load: async () => (await import("./reset-password.ts")).runResetPassword,
  },
];
