import { headers } from "next/headers";
import { toPortalColors, writePortalColors } from "#components/portal/portal-colors.ts";
import { nonceHeader } from "#lib/web/request/content-security-policy.ts";

/** Replaces our color with the account's from here on. Null: ours stays. */
export async function PortalColorStyle({ color }: { color: string | null }) {
  if (color === null) return null;
  const nonce = (await headers()).get(nonceHeader) ?? "";
  return (
    <style nonce={nonce} suppressHydrationWarning>
      {writePortalColors(toPortalColors(color))}
    </style>
  );
}
