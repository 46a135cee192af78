import type { CodeScheme } from "#lib/core/verify/scheme/code-scheme.ts";
import { fail } from "#lib/core/verify/scheme/failure.ts";
import type { JwtVerification } from "#lib/schema/receive/jwt-verification.ts";
import { claimProblem, jwtScheme } from "./jwt-scheme.ts";

/** The scheme of a user's custom JSON Web Token verification. */
export function customJwt(verification: JwtVerification): CodeScheme {
  const {
    source,
    algorithms,
    bodyHash,
    issuer,
    audience,
    claims = {},
    prefix,
    decode,
  } = verification;
  return jwtScheme("JSON Web Token", true, {
    header: source.from === "header" ? source.name : "",
    place: source,
    algorithms,
    times: toTimes(verification),
    ...(prefix === undefined ? {} : { prefix }),
    ...(decode === undefined ? {} : { decode }),
    ...(issuer === undefined ? {} : { issuer: [issuer] }),
    ...(bodyHash === undefined ? {} : { bodyHash }),
    checkClaims: (found) => {
      if (audience !== undefined && !toList(found.aud).includes(audience))
        return claimProblem(found, "aud");
      const other = Object.entries(claims).find(
        ([name, value]) => !Object.hasOwn(found, name) || found[name] !== value,
      );
      return other === undefined
        ? null
        : fail(
            Object.hasOwn(found, other[0]) ? "claim_mismatch" : "claim_missing",
            `the claim ${other[0]} of the token`,
          );
    },
    sampleClaims: () => ({ ...claims, ...(audience === undefined ? {} : { aud: audience }) }),
  });
}

function toTimes({ maxAgeSeconds, leewaySeconds = 60, timeNotSigned }: JwtVerification) {
  if (maxAgeSeconds !== undefined)
    return { required: ["iat"], maxAgeSeconds, leewaySeconds } as const;
  return { required: timeNotSigned === true ? [] : (["exp"] as const), leewaySeconds };
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}
