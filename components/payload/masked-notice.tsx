import { Link } from "#components/ui/link.tsx";
import { Notice } from "#components/ui/status/notice.tsx";
import { maskText } from "#lib/schema/receive/mask-text.ts";

/** Says that values below are masked for the reader, and why. */
export function MaskedNotice({ fields }: { readonly fields: readonly string[] }) {
  if (fields.length === 0) return null;
  return (
    <Notice>
      Some values are masked for your role, and shown as {maskText}.{" "}
      <Link href="/docs/masked-fields" className="underline underline-offset-4">
        What is masked
      </Link>
    </Notice>
  );
}
