import { execFileSync } from "node:child_process";
import { lchownSync, lstatSync, readdirSync, rmSync, statSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { join } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import { findPostgresBinaries } from "#server/postgres/binaries.ts";
import { killLeftovers, stopOrphan } from "#server/postgres/orphan.ts";
import { prepareDataFolder } from "#server/system/data-folder.ts";
import { lockDataFolder } from "#server/system/data-folder-lock.ts";
import { projectRoot } from "#server/system/paths.ts";
import { findServiceUser, type SystemUser, serviceUserName } from "#server/system/service-user.ts";
import { StartError } from "#server/system/start-error.ts";

/**
 * Started by root, Catchment and everything it starts continues as an ordinary user, so that an
 * intruder in one of its processes isn't root. PostgreSQL refuses to run as root anyway. Other
 * users stay who they are.
 *
 * @param dataDir of the embedded database; it is handed to that user
 */
export async function dropRootPrivileges(dataDir: string | undefined): Promise<void> {
  const user = findServiceUser();
  if (user === undefined) return;
  requireReachable(
    user,
    projectRoot,
    "move Catchment to a folder that all users can access, like /opt/catchment",
  );
  if (dataDir !== undefined) {
    const folder = await handOver(dataDir, user);
    requireReachable(
      user,
      findPostgresBinaries().postgres,
      "make node_modules readable for all users",
    );
    requireReachable(
      user,
      folder,
      "set CATCHMENT_DATA_DIR to a folder that all users can access, like /var/lib/catchment",
    );
  }
  // The cache is owned by this user, in a folder where only root can write.
  flushCompileCache();
  become(user);
}

/**
 * Changes the owner of the data folder to this user. Another owner's folder may contain a database
 * that a killed Catchment left running, and root may have restored a backup into a folder of this
 * user.
 */
async function handOver(dataDir: string, user: SystemUser): Promise<string> {
  const folder = prepareDataFolder(dataDir);
  const paths = [folder, ...listOwn(folder)];
  if (paths.every((path) => lstatSync(path).uid === user.uid)) return folder;
  // Root writes nothing through a link that the user made.
  for (const path of [join(folder, "lock"), join(folder, "lock.pid")])
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) rmSync(path);
  // Locked against others and released at once: this process locks it again as the other user.
  const lock = lockDataFolder(folder);
  try {
    const cluster = join(folder, "postgres");
    await stopOrphan(cluster);
    killLeftovers(cluster);
    for (const path of listOwn(folder)) chownTree(path, user);
    // The folder comes last, so that an interrupted start begins again.
    lchownSync(folder, user.uid, user.gid);
  } finally {
    lock.release();
  }
  return folder;
}

/** Lists only our own files, in case /var was given by mistake. */
function listOwn(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => ownNames.test(name))
    .map((name) => join(folder, name));
}

const ownNames = /^(lock|secret-key|postgres)([.-].*)?$/;

function chownTree(path: string, user: SystemUser): void {
  const found = lstatSync(path);
  lchownSync(path, user.uid, user.gid);
  // A link that the user made may lead anywhere. One of root is where the database is.
  const isFollowed = !found.isSymbolicLink() || found.uid === 0;
  const isFolder = isFollowed && statSync(path).isDirectory();
  for (const entry of isFolder ? readdirSync(path, { withFileTypes: true }) : []) {
    const inside = join(path, entry.name);
    if (entry.isDirectory()) chownTree(inside, user);
    else lchownSync(inside, user.uid, user.gid);
  }
}

function requireReachable(user: SystemUser, path: string, advice: string): void {
  try {
    execFileSync("/bin/sh", ["-c", 'test -x "$0"', path], { ...user, cwd: "/", stdio: "ignore" });
  } catch {
    throw new StartError(
      `Started by root, Catchment runs as the user ${serviceUserName}, who can't ` +
        `access ${path}: ${advice}, or start Catchment as another user.`,
    );
  }
}

function become({ uid, gid }: SystemUser): void {
  try {
    process.setgroups?.([gid]);
    process.setgid?.(gid);
    process.setuid?.(uid);
  } catch (error) {
    throw new StartError(
      "Started by root, Catchment can't go on as the user " +
        `${serviceUserName} (${errorCode(error)}): start it as an ordinary user.`,
    );
  }
}
