import { cancelJobCommand, pauseJobCommand, resumeJobCommand } from "#lib/web/runs/commands.ts";

/** The commands of a list of bulk jobs, on every page that has one. */
export const jobCommands = {
  cancel: cancelJobCommand,
  pause: pauseJobCommand,
  resume: resumeJobCommand,
};
