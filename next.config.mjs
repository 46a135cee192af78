/**
 * Headers of every response of the web process. The script policy has a nonce and comes from
 * `proxy.ts`.
 */
const securityHeaders = [
  { key: "x-content-type-options", value: "nosniff" },
  { key: "referrer-policy", value: "no-referrer" },
  {
    key: "permissions-policy",
    value: "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  },
  { key: "cross-origin-opener-policy", value: "same-origin" },
  { key: "cross-origin-resource-policy", value: "same-origin" },
];

/**
 * JavaScript, because Next loads a compiler of 100 MB for a configuration in TypeScript, at every start.
 *
 * @type {import("next").NextConfig}
 */
const config = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` type-checks the whole project, so the first start need not repeat it.
  typescript: { ignoreBuildErrors: true },
  // Nothing is written at run time: if root started Catchment, this process may not write here.
  images: { unoptimized: true },
  experimental: {
    // Unused pages take no memory.
    preloadEntriesOnStart: false,
    isrFlushToDisk: false,
    // Most builds are the first of an installation. Writing a cache for the next one took a quarter
    // of their processor time, 500 MB of memory, and 250 MB of disk.
    turbopackFileSystemCacheForBuild: false,
  },
  serverExternalPackages: [
    "@prisma/client",
    "@prisma/adapter-pg",
    "pg",
    "sonic-boom",
    "@node-rs/argon2",
    "undici",
    "nodemailer",
  ],
  redirects: async () => [
    { source: "/failures", destination: "/problems/failures", permanent: true },
  ],
  headers: async () => [
    { source: "/:path*", headers: securityHeaders },
    // The portal may be embedded where its account allows it, which only `frame-ancestors` can say.
    { source: "/((?!portal/).*)", headers: [{ key: "x-frame-options", value: "DENY" }] },
  ],
};

export default config;
