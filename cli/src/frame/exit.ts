/** How a command ended, for scripts. */
export const exitCodes = {
  done: 0,
  fault: 1,
  usage: 2,
  /** Of `config plan`, as Terraform has it. No other way to end `config` has it. */
  differences: 2,
  notFound: 3,
  notAllowed: 4,
  target: 16,
  backlog: 17,
  busy: 18,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Ends the command with one sentence for the person who called it. */
export class Exit extends Error {
  readonly code: ExitCode;

  constructor(reason: keyof typeof exitCodes, message: string) {
    super(message);
    this.name = "Exit";
    this.code = exitCodes[reason];
  }
}
