import { program } from "./frame/run-command.ts";

/** The former name of `catchment-server`, until the next major version: `catchment` is for developers now. */
process.stderr.write(
  `Use ${program.invocation} instead: this name stops working with the next major version.\n`,
);
await import("./catchment-server.ts");
