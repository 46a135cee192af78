import { join } from "node:path";
import { configFolder, readText, writeOwnFile } from "../account/profiles.ts";
import type { Terminal } from "../frame/command.ts";
import type { Session } from "./session.ts";

type Kept = Session & { readonly pid: number };

/**
 * The connections of programs on this machine. One that was killed couldn't end its own, which would
 * keep its place for half a minute.
 */
export class FormerSessions {
  readonly #path: string;
  readonly #server: string;

  constructor(env: Terminal["env"], server: string) {
    this.#path = join(configFolder(env), "listeners.json");
    this.#server = server;
  }

  remember(name: string, session: Session): void {
    this.#write({ ...this.#read(), [this.#key(name)]: { ...session, pid: process.pid } });
  }

  forget(name: string): void {
    const { [this.#key(name)]: _, ...others } = this.#read();
    this.#write(others);
  }

  /** The connection of a program with this name that has ended. Null: there is none. */
  take(name: string): Session | null {
    const kept = this.#read()[this.#key(name)];
    if (kept === undefined || isRunning(kept.pid)) return null;
    const { id, connectionId } = kept;
    return { id, connectionId };
  }

  #key(name: string): string {
    return `${this.#server} ${name}`;
  }

  #read(): Readonly<Record<string, Kept>> {
    try {
      return JSON.parse(readText(this.#path) ?? "{}");
    } catch {
      return {};
    }
  }

  /** Only a convenience: a folder that can't be written must not end a tunnel. */
  #write(kept: Readonly<Record<string, Kept>>): void {
    try {
      writeOwnFile(this.#path, JSON.stringify(kept));
    } catch {}
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
