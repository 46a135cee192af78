/** Decides what was measured means. Pure: everything that is looked up is passed in. */

import { failure, ok, type Result, warning } from "#lib/base/command-line/finding.ts";
import { describeSize } from "#lib/base/describe-size.ts";
import { doctorHeader, readDoctorResponse, type SeenRequest } from "#lib/core/api/doctor-mark.ts";
import type { Env, EnvProblem } from "#lib/core/env/parse-env.ts";
import type { AllowList } from "#lib/core/sending/address/allow-list.ts";
import { diskReserve } from "#lib/core/watch/disk-reserve.ts";
import type { Probe, ProbedCertificate } from "#lib/net/probe-url.ts";
import type { MigrationState } from "#server/database/migrate.ts";

export function evaluateEnv(problems: readonly EnvProblem[]): Result[] {
  return problems.map(({ variable, message }) =>
    failure(`${variable} ${message}.`, `Correct ${variable} in .env or the environment.`),
  );
}

export function evaluateUnknownVariables(
  unknown: readonly { readonly variable: string; readonly meant: string | null }[],
): Result[] {
  return unknown.map(({ variable, meant }) =>
    warning(
      `${variable} is not a setting of this version and is ignored.`,
      meant === null ? `Remove ${variable}.` : `Rename it to ${meant}, or remove it.`,
    ),
  );
}

/** Beyond this, times in the log and the dashboard contradict each other. */
const maxClockOffMs = 2_000;
/** Signed requests and one-time passwords are usually valid for at least this long. */
const badClockOffMs = 30_000;

/** @param offMs the database's clock, less this machine's */
export function evaluateClock(offMs: number, roundTripMs: number): Result {
  const seconds = `${Math.abs(offMs / 1_000).toFixed(1)} s ${offMs < 0 ? "behind" : "ahead of"}`;
  const change = "Keep the clocks of both machines synchronized, for example with chrony.";
  if (Math.abs(offMs) - roundTripMs > badClockOffMs)
    return failure(`The database's clock is ${seconds} this machine's.`, change);
  if (Math.abs(offMs) - roundTripMs > maxClockOffMs)
    return warning(`The database's clock is ${seconds} this machine's.`, change);
  return ok("This machine's clock and the database's agree.");
}

type DiskSpace = { readonly freeBytes: number; readonly totalBytes: number };

/** @param minFreeBytes below this, deliveries get 503; on a small disk, below 5 % */
export function evaluateDisk({ freeBytes, totalBytes }: DiskSpace, minFreeBytes: number): Result {
  const limit = diskReserve(minFreeBytes, totalBytes);
  const free = `${describeSize(freeBytes)} of ${describeSize(totalBytes)} are free`;
  const change = "Free some space, lower CATCHMENT_RETENTION_DAYS, or use a larger disk.";
  if (freeBytes < limit)
    return failure(`${free}, so deliveries get 503 (CATCHMENT_MIN_FREE_DISK_BYTES).`, change);
  if (freeBytes < limit * 4 || freeBytes < totalBytes * 0.1) return warning(`${free}.`, change);
  return ok(`${free}.`);
}

export function evaluateMigrations({ pending, unknown, changed }: MigrationState): Result {
  if (unknown.length > 0)
    return failure(
      `The database is newer than this version: it has ${unknown.at(-1)}.`,
      "Start the newer version, or restore a backup from before the update.",
    );
  if (changed.length > 0)
    return failure(
      `Already applied, but changed since: ${changed.join(", ")}.`,
      "Restore these files in prisma/migrations as they were.",
    );
  if (pending.length > 0)
    return warning(
      `${pending.length} of this version's migrations aren't applied yet, from ${pending[0]} on.`,
      "Restart Catchment: it applies them before it accepts deliveries.",
    );
  return ok("The schema is the one of this version.");
}

type SealFacts = {
  readonly keyId: string;
  /** The id of the key before it, during a rotation. */
  readonly previousKeyId: string | null;
  /** The id of the key that sealed the database's secrets. Null: it is new. */
  readonly sealedWith: string | null;
};

export function evaluateSealKey({ keyId, previousKeyId, sealedWith }: SealFacts): Result {
  if (sealedWith === null) return ok("The database isn't tied to a secret key yet.");
  if (sealedWith === previousKeyId)
    return warning(
      "A rotation of the secret key isn't finished.",
      "Run rotate-key until it is done.",
    );
  if (sealedWith === keyId && previousKeyId !== null)
    return warning(
      "The previous secret key isn't needed anymore.",
      "Remove CATCHMENT_PREVIOUS_SECRET_KEY, and restart Catchment.",
    );
  if (sealedWith === keyId) return ok("The secret key is the one that sealed this database.");
  return failure(
    "The secrets in this database were sealed with another key, so they can't be read.",
    "Set CATCHMENT_SECRET_KEY to the key from before, or put back the file secret-key.",
  );
}

type PublicUrlFacts = {
  readonly env: Pick<Env, "publicUrl" | "isPublicUrlGiven" | "host">;
  readonly probe: Probe;
  readonly key: Uint8Array;
  readonly mark: string;
};

export function evaluatePublicUrl({ env, probe, key, mark }: PublicUrlFacts): Result[] {
  const { publicUrl } = env;
  if (!probe.ok)
    return [
      failure(
        `${publicUrl} can't be reached from this machine (${probe.code}).`,
        "Start Catchment, or correct CATCHMENT_PUBLIC_URL, its DNS record, or the proxy in front.",
      ),
    ];
  const seen = readSeen({ probe, key, mark });
  if (seen === null) return [evaluateOtherResponse(publicUrl, probe.status)];
  return [
    evaluateHealth(publicUrl, probe.status),
    ...evaluateAddress(env),
    ...evaluateHost(publicUrl, seen),
  ];
}

/** The request as this installation saw it. Null: another server responded. */
export function readSeen({
  probe,
  key,
  mark,
}: Pick<PublicUrlFacts, "probe" | "key" | "mark">): SeenRequest | null {
  if (!probe.ok) return null;
  return readDoctorResponse(key, mark, probe.headers[doctorHeader] ?? "");
}

function evaluateHealth(publicUrl: string, status: number): Result {
  if (status === 200)
    return ok(`${publicUrl} reaches this installation, and it stores deliveries.`);
  return failure(
    `${publicUrl} reaches this installation, but it can't store deliveries (${status}).`,
    "See the other findings and the log.",
  );
}

function evaluateOtherResponse(publicUrl: string, status: number): Result {
  return failure(
    `Something else responds at ${publicUrl} (${status}), or an installation with another secret key.`,
    "Point CATCHMENT_PUBLIC_URL, its DNS record, or the proxy at this installation.",
  );
}

function evaluateAddress({ publicUrl, isPublicUrlGiven, host }: PublicUrlFacts["env"]): Result[] {
  const { protocol, hostname } = new URL(publicUrl);
  const isLocal = hostname === "localhost" || /^127\./.test(hostname) || hostname === "[::1]";
  if (!isPublicUrlGiven)
    return [
      warning(
        `CATCHMENT_PUBLIC_URL isn't set, so catch URLs start with ${publicUrl}.`,
        "Set it to the origin that providers can reach.",
      ),
    ];
  if (isLocal)
    return [
      warning(
        `Providers can't reach ${publicUrl}, which is this machine only.`,
        "Set CATCHMENT_PUBLIC_URL to the origin that providers can reach.",
      ),
    ];
  if (protocol === "http:")
    return [
      warning(
        "Deliveries and sign-ins cross the network unencrypted.",
        `Put a proxy with https in front of ${host}, and set CATCHMENT_PUBLIC_URL to it.`,
      ),
    ];
  return [];
}

function evaluateHost(publicUrl: string, { host }: SeenRequest): Result[] {
  if (host.toLowerCase() === new URL(publicUrl).host) return [];
  return [
    warning(
      `The proxy in front changes the Host header to ${host || "nothing"}.`,
      "Let it pass Host through, for example with proxy_set_header Host $host in nginx.",
    ),
  ];
}

const warnBeforeDays = 14;

export function evaluateCertificate({ expiresAt, problem }: ProbedCertificate, now: Date): Result {
  const days = Math.floor((expiresAt.getTime() - now.getTime()) / 86_400_000);
  const date = expiresAt.toISOString().slice(0, 10);
  const change = "Renew the certificate of the proxy in front, and check its automatic renewal.";
  if (days < 0) return failure(`The certificate expired on ${date}.`, change);
  if (problem !== null)
    return failure(
      `Providers won't trust the certificate (${problem}).`,
      "Install a certificate for this host name from a public authority, with its whole chain.",
    );
  if (days < warnBeforeDays)
    return warning(`The certificate expires ${describeDays(days)}, on ${date}.`, change);
  return ok(`The certificate is valid for another ${days} days, until ${date}.`);
}

function describeDays(days: number): string {
  if (days === 0) return "within a day";
  return days === 1 ? "in 1 day" : `in ${days} days`;
}

export function evaluateProxies(
  seen: SeenRequest,
  trusted: AllowList,
  publicUrl: string,
): Result[] {
  const wide = trusted.filter(({ prefixLength }) => prefixLength === 0);
  const results: Result[] = [];
  if (wide.length > 0)
    results.push(
      failure(
        "CATCHMENT_TRUSTED_PROXIES trusts every address, so anyone can forge an address.",
        "Name the addresses of your proxies only.",
      ),
    );
  if (seen.hasForwardedFor && !seen.isTrusted)
    results.push(
      failure(
        `The proxy at ${seen.peer} isn't trusted, so all clients count as one.`,
        `Add ${seen.peer} to CATCHMENT_TRUSTED_PROXIES.`,
      ),
    );
  // Catchment itself doesn't speak TLS.
  if (!seen.hasForwardedFor && publicUrl.startsWith("https:"))
    results.push(
      warning(
        `The proxy at ${seen.peer} sends no X-Forwarded-For, so all clients count as one.`,
        "Let the proxy add X-Forwarded-For, and name it in CATCHMENT_TRUSTED_PROXIES.",
      ),
    );
  if (results.length > 0) return results;
  return [
    seen.hasForwardedFor
      ? ok(`The proxy at ${seen.peer} is trusted, and says who its clients are.`)
      : ok("No proxy is in front."),
  ];
}

/** The addresses that a wrong rule opens most easily. */
export function evaluateEgress(allow: AllowList): Result {
  if (allow.length === 0) return ok("Actions may call public addresses only.");
  const networks = allow.map(({ network, prefixLength, port }) => {
    const cidr = `${network.toString()}/${prefixLength}`;
    return port === null ? cidr : `${cidr} port ${port}`;
  });
  if (allow.some(({ prefixLength }) => prefixLength === 0))
    return failure(
      "CATCHMENT_EGRESS_ALLOW allows every address, so actions can call anything in your network.",
      "Name the networks that actions have to call.",
    );
  return ok(`Actions may call public addresses and ${networks.join(", ")}.`);
}
