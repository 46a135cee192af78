import { spawn } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { setPriority } from "node:os";

/** An error that the person at the terminal can fix, printed without a stack. */
export class SetupError extends Error {}

/**
 * Runs a program. Its output is only shown if it fails.
 *
 * @param options `timeoutMs`: 0 is no limit. `onText` gets the output, in parts. `niceness`: 19 is
 *   the lowest priority
 */
export function runQuietly(program, args, env = {}, options = {}) {
  const { timeoutMs = 0, onText = () => {}, niceness = 0 } = options;
  return new Promise((resolve, reject) => {
    const { child, release } = spawnWithUs(program, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      timeout: timeoutMs,
    });
    if (niceness > 0 && child.pid !== undefined) lowerPriority(child.pid, niceness);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        output += text;
        onText(text);
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

/** Linux shares the processor between sessions first, and the program has its own. */
function lowerPriority(pid, niceness) {
  const autogroup = `/proc/${pid}/autogroup`;
  try {
    setPriority(pid, niceness);
    if (existsSync(autogroup)) writeFileSync(autogroup, String(niceness));
  } catch {
    // It only takes longer until the rest is ready.
  }
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
