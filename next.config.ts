import type { NextConfig } from "next";

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  // `npm run check` type-checks the whole project once; a first start need not do it again.
  typescript: { ignoreBuildErrors: true },
  serverExternalPackages: ["@prisma/client", "@prisma/adapter-pg", "pg", "sonic-boom", "@node-rs/argon2"],
};

export default config;
