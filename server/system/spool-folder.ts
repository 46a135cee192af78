import {
  accessSync,
  constants,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  type Stats,
  statSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { errorCode } from "#lib/base/errors.ts";
import type { SpoolEnv } from "#lib/core/env/spool-settings.ts";
import { findServiceUser, type SystemUser } from "./service-user.ts";
import { StartError } from "./start-error.ts";

/**
 * Makes the spool's folder, private to the user that Catchment runs as, like the data folder, which it
 * may be in. Started by root, a folder that is there gets that user as its owner. Call it while this
 * process is still root, if it is.
 */
export function makeSpoolFolder({ folder, broker }: SpoolEnv): void {
  try {
    makeFolder(resolve(folder));
    const user = findServiceUser();
    if (user !== undefined) handOver(folder, user);
  } catch (error) {
    if (error instanceof StartError) throw error;
    const variable = broker === undefined ? "CATCHMENT_SPOOL_URL" : "CATCHMENT_DATA_DIR";
    throw new StartError(
      `The spool's folder ${folder} can't be made (${errorCode(error)}): ` +
        `set ${variable} to a folder elsewhere.`,
    );
  }
}

/** Also the folder that it is in: at the first start, the data folder may not be there yet. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  // In a folder that can't contain others, such as /proc, `recursive` never returns.
  mkdirSync(folder, { mode: 0o700 });
  const user = findServiceUser();
  if (user !== undefined) lchownSync(folder, user.uid, user.gid);
}

/** Gives everything of the folder's owner, or of root, to this user. */
function handOver(folder: string, user: SystemUser): void {
  const owner = statSync(folder).uid;
  requirePrivate(folder, new Set([0, owner, user.uid]), []);
  const paths = listOwn(folder, true);
  // The folder comes last, so that an interrupted start begins again.
  for (const path of [...paths, resolve(folder)])
    if (lstatSync(path).uid !== user.uid) lchownSync(path, user.uid, user.gid);
}

/**
 * Refuses a folder in which others could put a delivery, or have put one. What waits in it was verified
 * before. Call it as the user that Catchment runs as.
 */
export function requireSpoolFolder(folder: string): void {
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new StartError(
      `The spool's folder ${folder} can't be written by this user: change its owner, or set ` +
        "CATCHMENT_SPOOL_URL to another folder.",
    );
  }
  const { getuid, getgid, getgroups } = process;
  // Windows has none of them.
  if (getuid === undefined) return;
  requirePrivate(folder, new Set([0, getuid()]), [...(getgroups?.() ?? []), getgid?.() ?? -1]);
}

function requirePrivate(
  folder: string,
  owners: ReadonlySet<number>,
  groups: readonly number[],
): void {
  const top = statSync(folder);
  // Kubernetes makes a volume's files writable for the group of the pod (`fsGroup`), and sets this bit.
  const isOfPod = (top.mode & setGroupId) !== 0 && groups.includes(top.gid);
  const others = (found: Stats) =>
    isOfPod && found.gid === top.gid ? writableByAll : writableByAll | writableByGroup;
  for (const path of [resolve(folder), ...listOwn(folder, false)]) {
    const found = path === resolve(folder) ? top : lstatSync(path, { throwIfNoEntry: false });
    // It was drained meanwhile.
    if (found === undefined) continue;
    if (!owners.has(found.uid)) throw ofAnother(path, found.uid);
    // The mode of a link means nothing.
    if (!found.isSymbolicLink() && (found.mode & others(found)) !== 0)
      throw writable(path, `run chmod -R go-w ${folder}`);
  }
  requireSafeParents(folder);
}

/** Who can rename a folder on the way can put another one in its place. */
function requireSafeParents(folder: string): void {
  for (let path = dirname(resolve(folder)); ; path = dirname(path)) {
    const { mode } = statSync(path);
    if ((mode & writableByAll) !== 0 && (mode & sticky) === 0)
      throw writable(
        path,
        `run chmod o-w ${path}, or set CATCHMENT_SPOOL_URL to a folder elsewhere`,
      );
    if (path === dirname(path)) return;
  }
}

const writableByGroup = 0o020;
const writableByAll = 0o002;
const setGroupId = 0o2000;
const sticky = 0o1000;

function ofAnother(path: string, uid: number): StartError {
  return new StartError(
    `${path} belongs to another user (${uid}), who could put deliveries into the spool that no one has verified: ` +
      "remove it, or change its owner to the user that Catchment runs as.",
  );
}

function writable(path: string, change: string): StartError {
  return new StartError(
    `Others can write to ${path}, and so put deliveries into the spool that no one has verified: look at what is ` +
      `in it, then ${change}.`,
  );
}

/** Only our own names, in case /var was given by mistake. Kept hooks are sealed, so each needs no look. */
function listOwn(folder: string, withHooks: boolean): readonly string[] {
  const paths: string[] = [];
  for (const name of readdirSync(folder).filter((one) => ownNames.test(one))) {
    const path = join(resolve(folder), name);
    paths.push(path);
    const isListed = withHooks || name !== "hooks";
    if (isListed && lstatSync(path, { throwIfNoEntry: false })?.isDirectory())
      paths.push(...readdirSync(path).map((file) => join(path, file)));
  }
  return paths;
}

const ownNames = /^(writer-\d+|set-aside|hooks|id(\..*)?|signed-since(\..*)?|.*\.to-set-aside)$/;
