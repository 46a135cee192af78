import { spawn } from "node:child_process";

/** An error that the person at the terminal can fix, printed without a stack. */
export class SetupError extends Error {}

/** Runs a program. Its output is only shown if it fails. */
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
    child.once("error", (error) =>
      reject(new SetupError(`${program} could not be run: ${error.message}`)),
    );
    child.once("close", (code, signal) => {
      release();
      if (code === 0) return resolve(output);
      const command = [program.split("/").at(-1), ...args].join(" ");
      reject(
        new SetupError(
          `${output.trimEnd()}\n\n${command} failed (${signal ?? `code ${code}`}). Its output is above.`,
        ),
      );
    });
  });
}

const patienceMs = 10_000;

/**
 * A signal to us (Ctrl-C, a service manager) also stops the program: otherwise it would continue to
 * write into the folders of the next start. `release` ends us with that same signal, if there was
 * one.
 */
function spawnWithUs(program, args, options) {
  let stoppedBy;
  const signalGroup = (signal) => {
    try {
      process.kill(-child.pid, signal);
    } catch {
      // The program has already ended, or could not be started.
    }
  };
  const end = (signal) => {
    stoppedBy ??= signal;
    // A shell's background programs ignore SIGINT.
    signalGroup("SIGTERM");
    setTimeout(signalGroup, patienceMs, "SIGKILL").unref();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"];
  // The handlers come before the program starts, so that a signal never ends only us.
  for (const signal of signals) process.on(signal, end);
  // The program has its own group: npm's install scripts and Next's workers end together with it.
  const child = spawn(program, args, { ...options, detached: true });
  return {
    child,
    release() {
      for (const signal of signals) process.off(signal, end);
      if (stoppedBy !== undefined) process.kill(process.pid, stoppedBy);
    },
  };
}
