import type { Program } from "../../lib/base/command-line/help.ts";
import packageJson from "../package.json" with { type: "json" };
import { invocation } from "./frame/invocation.ts";

export const { version } = packageJson;

/** The general text of the help of `catchment`. */
export const program: Program = {
  invocation,
  about:
    "Catchment's command line, for developers. The operator's commands: npm run server -- help",
  exitCodes:
    "0 done, 1 failed, 2 usage (config: differences), 3 not found, 4 not allowed, 16 target, 17 backlog, 18 busy",
};
