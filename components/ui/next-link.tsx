import { Link } from "#components/ui/link.tsx";

/** A link to the next step, at the end of a sentence. */
export function NextLink({ href, children }: { href: string; children: string }) {
  return (
    <Link href={href} className="font-medium text-foreground underline underline-offset-4">
      {children}
    </Link>
  );
}
