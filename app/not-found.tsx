import type { Metadata } from "next";
import { NothingHere } from "#components/nothing-here.tsx";

export const metadata: Metadata = { title: "Not found" };

export default function NotFound() {
  return (
    <main>
      <NothingHere />
    </main>
  );
}
