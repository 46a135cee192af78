import { expect, it } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const options = { nonce: "n", isDevelopment: false };

it("no page can be framed, unless origins are given", () => {
  expect(contentSecurityPolicy(options)).toMatch(/; frame-ancestors 'none'$/);
  expect(contentSecurityPolicy({ ...options, frameAncestors: [] })).toMatch(/ancestors 'none'$/);
  const frameAncestors = ["https://app.example.com", "http://localhost:3000"];
  expect(contentSecurityPolicy({ ...options, frameAncestors })).toMatch(
    /; frame-ancestors https:\/\/app\.example\.com http:\/\/localhost:3000$/,
  );
});
