import Link from "next/link";

/** Where the sentence before it leads. */
export function Onward({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="font-medium text-foreground underline underline-offset-4">
      {children}
    </Link>
  );
}
