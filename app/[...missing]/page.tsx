import type { Metadata } from "next";
import { notFound } from "next/navigation";

/** The browser takes the title from here, the HTML from `not-found.tsx`. */
export const metadata: Metadata = { title: "Not found" };

/** Any address that no other page has. */
export default function MissingPage() {
  notFound();
}
