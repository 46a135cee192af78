import { safeText } from "#components/ui/text/safe-text.ts";

/** The logo, or the first letter in the account's color. */
export function PortalLogo({ name, logo }: { name: string; logo: string | null }) {
  // biome-ignore lint/performance/noImgElement: a data URL needs no image server
  if (logo !== null) return <img src={logo} alt="" className="h-7 max-w-28 object-contain" />;
  return (
    <span
      aria-hidden
      className={
        "inline-flex size-7 shrink-0 items-center justify-center rounded-md " +
        "bg-primary text-sm font-semibold text-primary-foreground uppercase"
      }
    >
      {safeText([...name][0] ?? "")}
    </span>
  );
}
