import { spawn } from "node:child_process";

/** A reason to stop that the person at the terminal can mend; printed without a stack. */
export class SetupError extends Error {}

/** Runs a program; what it prints is shown only where it fails. */
export function runQuietly(program, args, env = {}, timeoutMs = 0) {
  return new Promise((resolve, reject) => {
    const { child, release } = spawnWithUs(program, args, {
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
      release();
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

const patienceMs = 10_000;

/**
 * Who stops us (a Ctrl-C, a service manager) stops the program too: one that went on by itself would write into the same
 * folders as the next start. `release` ends us by that same signal, if there was one.
 */
function spawnWithUs(program, args, options) {
  let stoppedBy;
  const signalGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // It has ended already, or could not even be started.
    }
  };
  const end = (signal) => {
    stoppedBy ??= signal;
    // A shell's background programs are deaf to SIGINT.
    signalGroup("SIGTERM");
    setTimeout(signalGroup, patienceMs, "SIGKILL").unref();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  // Before there is a program, so that there is no moment at which a signal ends only us.
  for (const signal of signals) process.on(signal, end);
  // A group of its own: npm's install scripts and Next's workers are ended together with it.
  const child = spawn(program, args, { ...options, detached: true });
  return {
    child,
    release() {
      for (const signal of signals) process.off(signal, end);
      if (stoppedBy !== undefined) process.kill(process.pid, stoppedBy);
    },
  };
}
