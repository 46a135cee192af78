"use client";

import { type ComponentProps, Suspense } from "react";
import { lazyPart } from "#components/ui/lazy-part.ts";
import type { AddSecretForm } from "./add-secret-form.tsx";

const Form = lazyPart("AddSecretForm", () => import("./add-secret-form.tsx"));

/** The form with its hints about odd secrets. Hooks that have their secret don't load it. */
export function LazyAddSecretForm(props: ComponentProps<typeof AddSecretForm>) {
  return (
    <Suspense fallback={null}>
      <Form {...props} />
    </Suspense>
  );
}
