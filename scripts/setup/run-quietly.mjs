import { spawn } from "node:child_process";

/** A reason to stop that the person at the terminal can mend; printed without a stack. */
export class SetupError extends Error {}

/** Runs a program; what it prints is shown only where it fails. */
export function runQuietly(program, args, env = {}, timeoutMs = 0) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
      });
    }
    child.once("error", (error) => reject(new SetupError(`${program} could not be run: ${error.message}`)));
    child.once("close", (code, signal) => {
      if (code === 0) return resolve(output);
      const command = [program.split("/").at(-1), ...args].join(" ");
      reject(
        new SetupError(
          `${output.trimEnd()}\n\n${command} failed (${signal ?? `code ${code}`}); what it said is above.`,
        ),
      );
    });
  });
}
