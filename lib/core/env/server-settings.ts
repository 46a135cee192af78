import { z } from "zod";
import { readDatabaseUrl } from "./database-url.ts";
import { readEgressProxy, readProxyExceptions } from "./egress-proxy.ts";
import {
  defineGroup,
  isOrigin,
  networkList,
  plainNetworkList,
  readBy,
  setting,
  text,
  wholeNumber,
} from "./setting.ts";

// 100 MiB: a body is held in memory and bound as one parameter; PostgreSQL's own limit is 1 GiB.
const maxAllowedBodyBytes = 100 * 1024 * 1024;

const secretKey = (hint: string) => z.string().min(32, `must have at least 32 characters${hint}`);

/** One host or several. The message never contains the URL. */
const databaseUrl = z.string().superRefine((given, context) => {
  const url = readDatabaseUrl(given);
  if (!url.ok) context.addIssue({ code: "custom", message: url.message });
});

/** Each has up to ten connections to the database. */
export const maxCatchProcesses = 16;

export const serverSettings = defineGroup({
  about: "All of them are optional: `npm start` without any runs everything on this machine.",
  settings: {
    port: setting("PORT", wholeNumber(1, 65_535).default(3000), "the port to listen on"),
    host: setting(
      "HOST",
      text(
        /^[A-Za-z0-9.:_-]+$/,
        "must be an IP address or a host name of this machine, like 127.0.0.1 or 0.0.0.0",
      ).default("127.0.0.1"),
      "where to listen: `127.0.0.1` is for programs on this machine only, `0.0.0.0` is all interfaces",
    ),
    publicUrl: setting(
      "CATCHMENT_PUBLIC_URL",
      z
        .string()
        .refine(isOrigin, "must be an origin without a path, like https://hooks.example.com")
        .transform((given) => new URL(given).origin)
        .optional(),
      "the origin that providers reach, and the start of every catch URL. " +
        "Once it is set, the dashboard and the API reject every other host name",
      { unset: "`http://localhost:$PORT`" },
    ),
    databaseUrl: setting(
      "DATABASE_URL",
      databaseUrl.optional(),
      "your own PostgreSQL 15 or newer: `postgresql://user:password@host:5432/catchment`, with one host or " +
        "[several](operations/database.md#when-postgresql-fails-over)",
      { unset: "an embedded PostgreSQL", isSecret: true },
    ),
    dataDir: setting(
      "CATCHMENT_DATA_DIR",
      z.string().default(".catchment"),
      "the folder of the embedded database and the generated secret key. Back it up",
    ),
    secretKey: setting(
      "CATCHMENT_SECRET_KEY",
      secretKey("; create one with `openssl rand -base64 32`").optional(),
      "encrypts stored secrets and signs sessions: at least 32 characters; required with `DATABASE_URL`",
      { unset: "generated in the data folder", isSecret: true },
    ),
    previousSecretKey: setting(
      "CATCHMENT_PREVIOUS_SECRET_KEY",
      secretKey(", like the secret key that it was").optional(),
      "the previous secret key, while [`rotate-key`](commands.md#rotate-key) replaces it. Remove it afterwards",
    ),
    maxBodyBytes: setting(
      "CATCHMENT_MAX_BODY_BYTES",
      wholeNumber(1, maxAllowedBodyBytes).default(10_485_760),
      `larger deliveries are rejected with 413; at most ${maxAllowedBodyBytes}`,
    ),
    catchProcesses: setting(
      "CATCHMENT_CATCH_PROCESSES",
      wholeNumber(1, maxCatchProcesses).optional(),
      `how many processes catch deliveries on the port, at most ${maxCatchProcesses}. ` +
        "See [More than one catch process](operations.md#more-than-one-catch-process)",
      { unset: "half the cores, from 1 to 8; 1 unless on Linux" },
    ),
    hookRatePerSecond: setting(
      "CATCHMENT_HOOK_RATE_PER_SECOND",
      wholeNumber(0, 100_000).default(1_000),
      "requests per second that a hook accepts, unless it has its own limit. More get 429 with `Retry-After`. " +
        "0: no limit. See [Rate limits](catching.md#rate-limits)",
    ),
    clientRatePerSecond: setting(
      "CATCHMENT_CLIENT_RATE_PER_SECOND",
      wholeNumber(0, 100_000).default(1_000),
      "requests per second from one address (or IPv6 /64) to catch URLs; 0: no limit",
    ),
    retentionDays: setting(
      "CATCHMENT_RETENTION_DAYS",
      wholeNumber(0, 36_500).default(90),
      "older deliveries are deleted by whole weeks, with their runs and attempts; 0 keeps everything. " +
        "See [Retention](operations.md#retention)",
    ),
    rejectedBodyBytes: setting(
      "CATCHMENT_REJECTED_BODY_BYTES",
      wholeNumber(0, maxAllowedBodyBytes).default(65_536),
      "the most of a rejected delivery's body that is stored",
    ),
    rejectedBytesPerDay: setting(
      "CATCHMENT_REJECTED_BYTES_PER_DAY",
      wholeNumber(0, 100_000_000_000).default(16_777_216),
      "the most that a hook stores of rejected deliveries in a day (UTC) with bodies, and again without. " +
        "See [Rejected deliveries](operations.md#rejected-deliveries)",
    ),
    rejectedRetentionDays: setting(
      "CATCHMENT_REJECTED_RETENTION_DAYS",
      wholeNumber(0, 36_500).default(14),
      "older rejected deliveries and handshakes are deleted every hour, before the others; " +
        "0 keeps them as long as the others",
    ),
    auditRetentionDays: setting(
      "CATCHMENT_AUDIT_RETENTION_DAYS",
      wholeNumber(0, 36_500).default(0),
      "older entries of [audit logs](audit-log.md) are deleted; 0 keeps everything",
    ),
    minFreeDiskBytes: setting(
      "CATCHMENT_MIN_FREE_DISK_BYTES",
      wholeNumber(0, 2 ** 50).default(536_870_912),
      "with less free space on the disk of the embedded database or the spool (or less than 5% of a small disk), " +
        "deliveries get 503 until there is space again",
    ),
    webSleepAfterSeconds: setting(
      "CATCHMENT_WEB_SLEEP_AFTER_SECONDS",
      wholeNumber(0, 604_800).default(900),
      "the dashboard's process ends after this time without a page view, an API call, or an open live list, " +
        "which frees some 140 MiB. The next request starts it again and waits about a second. 0: never. " +
        "Deliveries and actions never sleep",
    ),
    egressAllow: setting(
      "CATCHMENT_EGRESS_ALLOW",
      networkList.default([]),
      "private networks that actions may call, separated by commas, each with one port if you like: " +
        "`10.0.0.0/8, 127.0.0.1:8080`. This machine's own addresses, including public ones and those in an " +
        "allowed network, are treated as loopback: allow `127.0.0.1`, or the exact address",
    ),
    portalEgressAllow: setting(
      "CATCHMENT_PORTAL_EGRESS_ALLOW",
      networkList.default([]),
      "the same for receiver URLs that were entered in the [portal](portal.md), to which " +
        "`CATCHMENT_EGRESS_ALLOW` never applies. See [Networks of the portal's receivers](portal.md#networks)",
    ),
    egressProxy: setting(
      "CATCHMENT_EGRESS_PROXY",
      readBy(readEgressProxy).optional(),
      "a proxy for calls to receivers, for published keys, and for alerts: " +
        "`http://user:password@proxy.internal:3128`, `https://…`, or `socks5://…`. " +
        "See [A proxy for calls](operations.md#a-proxy-for-calls)",
      { unset: "calls are direct", isSecret: true },
    ),
    egressProxyExcept: setting(
      "CATCHMENT_EGRESS_PROXY_EXCEPT",
      readBy(readProxyExceptions).default({ networks: [], hosts: [] }),
      "networks and hosts that are called without the proxy: `10.0.0.0/8, api.internal.example, *.corp.example`",
    ),
    egressIps: setting(
      "CATCHMENT_EGRESS_IPS",
      plainNetworkList.default([]),
      "the public addresses and networks that calls come from: `203.0.113.7, 198.51.100.0/28`. They are shown in the " +
        "[portal](portal.md#where-calls-come-from) and in **Account → Sending**, for firewalls. They change no call",
    ),
    trustedProxies: setting(
      "CATCHMENT_TRUSTED_PROXIES",
      networkList.default([]),
      "networks of proxies whose `X-Forwarded-For` is trusted: `10.0.0.0/8, 192.168.1.7`",
    ),
  },
  check: ({ databaseUrl, secretKey }) => ({
    // The embedded database has its key in the data folder.
    secretKey:
      databaseUrl !== undefined &&
      secretKey === undefined &&
      "must be set when DATABASE_URL is: at least 32 characters, the same on " +
        "every machine; create one with `openssl rand -base64 32`",
  }),
});

/** How machines watch this server. */
export const monitoringSettings = defineGroup({
  settings: {
    metricsPort: setting(
      "CATCHMENT_METRICS_PORT",
      wholeNumber(1, 65_535).optional(),
      "a port for Prometheus: `/metrics` and the health of all processes, without a token. See [Metrics](metrics.md)",
    ),
    metricsToken: setting(
      "CATCHMENT_METRICS_TOKEN",
      text(
        /^[\x21-\x7e]{16,512}$/,
        "must have 16 to 512 characters without spaces; create one with `openssl rand -hex 32`",
      ).optional(),
      "serves `/metrics` on `PORT` to requests with this token, of 16 characters or more",
      { isSecret: true },
    ),
  },
});
