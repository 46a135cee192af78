import { type Finding, failure, ok, type Result } from "#lib/base/command-line/finding.ts";
import { createDoctorMark, doctorHeader } from "#lib/core/api/doctor-mark.ts";
import { nameEgressProxy, toProxyRoute } from "#lib/core/env/egress-proxy.ts";
import type { Env } from "#lib/core/env/parse-env.ts";
import { deriveKey } from "#lib/core/people/seal/derive-key.ts";
import { createHttpClient } from "#lib/net/http-client.ts";
import { checkMailServer } from "#lib/net/mail/send-mail.ts";
import { probeUrl } from "#lib/net/probe-url.ts";
import {
  evaluateCertificate,
  evaluateEgress,
  evaluateProxies,
  evaluatePublicUrl,
  readSeen,
} from "./evaluate-facts.ts";

const timeoutMs = 10_000;

/** Gets the health endpoint through the public URL, as providers reach it. */
export async function checkPublicUrl(env: Env, secretKey: string | null): Promise<Finding[]> {
  // Without a key, nothing can recognize this installation.
  const key = deriveKey(secretKey ?? "none", "doctor");
  const mark = createDoctorMark(key, Date.now());
  const url = new URL("/api/health", env.publicUrl);
  const probe = await probeUrl(url, { [doctorHeader]: mark }, timeoutMs);
  const seen = readSeen({ probe, key, mark });
  const certificate = probe.ok ? probe.certificate : null;
  const rows: [string, readonly Result[]][] = [
    ["Public URL", evaluatePublicUrl({ env, probe, key, mark })],
    ["TLS", certificate === null ? [] : [evaluateCertificate(certificate, new Date())]],
    ["Proxies", seen === null ? [] : evaluateProxies(seen, env.trustedProxies, env.publicUrl)],
  ];
  return rows.flatMap(([check, results]) => results.map((result) => ({ check, ...result })));
}

/** @param reach a URL to call as an action would. Undefined: only the configuration is checked. */
export async function checkEgress(env: Env, reach: string | undefined): Promise<Finding[]> {
  const results = [evaluateEgress(env.egressAllow)];
  if (env.egressProxy !== undefined)
    results.push(ok(`Calls go through the proxy ${nameEgressProxy(env.egressProxy)}.`));
  if (reach !== undefined) results.push(await callAsAction(env, reach));
  return results.map((result) => ({ check: "Egress", ...result }));
}

async function callAsAction(env: Env, url: string): Promise<Result> {
  const client = createHttpClient({
    allow: env.egressAllow,
    ownOrigins: [env.publicUrl],
    ownPorts: [env.port],
    proxy: toProxyRoute(env),
  });
  try {
    const request = { method: "GET", url, headers: [], body: null };
    const result = await client.call(request, { timeoutMs });
    if (result.ok) return ok(`Actions reach ${url}: it responds with ${result.response.status}.`);
    return failure(
      `Actions can't reach ${url} (${result.error.code}): ${result.error.message}`,
      "Open the firewall for it, or allow its network in CATCHMENT_EGRESS_ALLOW if it is private.",
    );
  } finally {
    await client.close();
  }
}

export async function checkMail(env: Env): Promise<Finding[]> {
  const check = "Email";
  if (env.mail === undefined)
    return [{ check, ...ok("SMTP_URL isn't set, so Catchment sends no email.") }];
  const result = await checkMailServer(env.mail);
  if (result.ok) return [{ check, ...ok(`${env.mail.host} accepts mail from Catchment.`) }];
  return [{ check, ...failure(result.message, "Correct SMTP_URL, or the mail server.") }];
}
