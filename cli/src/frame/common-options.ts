import { outputs } from "./write.ts";

export const json = { summary: "print JSON, one value on each line" };
export const output = {
  value: "STYLE",
  choices: outputs,
  summary: "table, compact (a line with tabs), or json",
};
export const profile = { value: "NAME", summary: "another sign-in than the current one" };
export const common = { json, output, profile };
