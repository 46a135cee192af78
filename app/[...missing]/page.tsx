import { notFound } from "next/navigation";

/** Any address that no other page has. */
export default function MissingPage() {
  notFound();
}
