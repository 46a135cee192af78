"use client";

import { useReader } from "#components/permissions/role.tsx";
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

/** Says beside the results of a search that it doesn't find what is masked for the reader. */
export function MaskedSearchNotice({ q }: { readonly q: string }) {
  const { role, seesMasked } = useReader();
  if (!seesMasked || q === "") return null;
  return (
    <Notice>
      Masked fields aren't searched for {role}s: this finds no text in payloads, only ids, types,
      and reasons.
    </Notice>
  );
}
