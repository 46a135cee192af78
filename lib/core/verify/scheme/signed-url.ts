/** Parts of the public URL that a scheme can sign. */
import type { VerifyRequest } from "./request-view.ts";

/** Null if the variable isn't part of the request line. */
export function readTarget(
  variable: string,
  { url, method }: Pick<VerifyRequest, "url" | "method">,
): string | null {
  switch (variable) {
    case "url":
      return url;
    case "method":
      return method;
    case "decoded_url":
      return decodeLikeHubSpot(url);
    case "path":
      return url.replace(/^[a-z]+:\/\/[^/?#]*/i, "") || "/";
    default:
      return null;
  }
}

/**
 * Decodes exactly these escapes, everywhere:
 * https://developers.hubspot.com/docs/apps/developer-platform/build-apps/authentication/request-validation
 */
function decodeLikeHubSpot(url: string): string {
  return url.replaceAll(/%(?:3A|2F|3F|40|21|24|27|28|29|2A|2C|3B)/gi, (code) =>
    String.fromCharCode(Number.parseInt(code.slice(1), 16)),
  );
}
