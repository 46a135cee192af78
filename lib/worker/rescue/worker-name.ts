import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { errorCode } from "#lib/base/errors.ts";

/** Identifies the start of the machine. Undefined if the system doesn't provide it. */
export const bootId = readBootId();

/**
 * Identifies the start of the machine and the container, within which a process id is unique.
 * Undefined if the system doesn't provide it.
 */
const pidSpace = readPidSpace();

/** The name of this process, in `workers`. */
export const workerName = nameWorker(process.pid);

export function nameWorker(pid: number): string {
  return [hostname(), pid, ...(pidSpace === undefined ? [] : [pidSpace])].join(":");
}

/** True if the process of this name has certainly ended. */
export function hasEnded(name: string): boolean {
  const pid = Number(name.split(":").at(-2));
  if (pidSpace === undefined || !(pid > 0) || name !== nameWorker(pid)) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return errorCode(error) === "ESRCH";
  }
}

function readBootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  } catch {
    return undefined;
  }
}

function readPidSpace(): string | undefined {
  try {
    if (bootId === undefined) return undefined;
    return `${bootId}/${readlinkSync("/proc/self/ns/pid").replace(/\D/g, "")}`;
  } catch {
    return undefined;
  }
}
