import { expect, test } from "vitest";
import { classifyOidcError, toErrorCode } from "./classify-oidc-error.ts";

test.each([
  ["JWT not active yet, now 1795000010, nbf 1795000300", "clock"],
  ["JWT expired, now 1795000010, exp 1795000000", "clock"],
  ["JWT issued too far in the past, now 1, iat 0", "clock"],
  ["State cookie was missing.", "way_back"],
  ["PKCE code_verifier cookie was missing.", "way_back"],
  ["state mismatch, expected a, got: b", "way_back"],
  ["access_denied", "provider_denied"],
  ["login_required", "provider_denied"],
  ["server_error", "provider_error"],
  ["invalid_scope", "provider_error"],
  ["connect ECONNREFUSED 127.0.0.1:1", "provider_unreachable"],
  ["outgoing request timed out after 10000ms", "provider_unreachable"],
  ["expected 200 OK, got: 503 Service Unavailable", "provider_unreachable"],
  ["aud mismatch, expected a, got: b", "provider_response"],
  ["nonce mismatch, expected a, got: b", "provider_response"],
  ["failed to validate JWT signature", "provider_response"],
])("%j is %s", (message, reason) => {
  expect(classifyOidcError(message)).toBe(reason);
});

test.each([
  ["Invalid `prisma.identity.findUnique()` invocation: \\0", "unavailable"],
  ["<script>", "unavailable"],
  ["", "unavailable"],
  ["clock; drop table", "unavailable"],
  ["throttled:12 and more", "unavailable"],
  ["OAuthSignin", "provider_unreachable"],
  ["OAuthCallback", "provider_response"],
  ["Callback", "provider_error"],
  ["domain", "domain"],
  ["second_factor", "second_factor"],
  ["throttled:12", "throttled:12"],
  ["CredentialsSignin", "CredentialsSignin"],
])("a URL has a code for the error %j: %s", (error, code) => {
  expect(toErrorCode(error, undefined)).toBe(code);
});

test("the reason that was found out counts more than what next-auth says", () => {
  expect(toErrorCode("OAuthCallback", "clock")).toBe("clock");
  expect(toErrorCode("domain", "clock")).toBe("domain");
});
