"use client";

import NextLink from "next/link";
import { useRouter } from "next/navigation";
import { type ComponentProps, useEffect, useRef } from "react";

type LinkProps = Omit<ComponentProps<typeof NextLink>, "href" | "prefetch"> & {
  readonly href: string;
};

/** Shorter than the way from a look to a click, and longer than a pointer needs to cross a row. */
const intentMs = 60;

/**
 * A link to a page of ours. Its page is fetched once someone points at it or focuses it: fetching
 * whatever is on the screen costs the server 20 to 40 requests for each page.
 */
export function Link({ href, onMouseEnter, onMouseLeave, onFocus, onBlur, ...props }: LinkProps) {
  const router = useRouter();
  const intent = useRef<ReturnType<typeof setTimeout>>(undefined);
  const forget = () => clearTimeout(intent.current);
  const intend = () => {
    clearTimeout(intent.current);
    intent.current = setTimeout(() => router.prefetch(href), intentMs);
  };
  useEffect(() => () => clearTimeout(intent.current), []);
  return (
    <NextLink
      {...props}
      href={href}
      prefetch={false}
      onMouseEnter={(event) => {
        intend();
        onMouseEnter?.(event);
      }}
      onMouseLeave={(event) => {
        forget();
        onMouseLeave?.(event);
      }}
      onFocus={(event) => {
        intend();
        onFocus?.(event);
      }}
      onBlur={(event) => {
        forget();
        onBlur?.(event);
      }}
    />
  );
}
