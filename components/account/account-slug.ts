import { toSlug } from "#components/ui/text/to-slug.ts";

const mailHosts = [
  "gmail",
  "googlemail",
  "outlook",
  "hotmail",
  "live",
  "yahoo",
  "icloud",
  "proton",
  "gmx",
  "web",
];

/** "ada@shop.acme.com" → "acme"; empty if the address names no company. */
export function suggestAccount(email: string): string {
  const labels = (/@([a-z0-9.-]+)$/i.exec(email.trim())?.[1] ?? "").toLowerCase().split(".");
  if (labels.length < 2) return "";
  const isShortPair =
    (labels.at(-2) ?? "").length <= 3 && labels.length > 2 && (labels.at(-1) ?? "").length === 2;
  const name = labels.at(isShortPair ? -3 : -2) ?? "";
  return mailHosts.includes(name) ? "" : toSlug(name);
}
