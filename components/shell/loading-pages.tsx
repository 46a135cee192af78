"use client";

import type { ReactNode } from "react";
import { classNames } from "#components/ui/class-names.ts";
import { Card } from "#components/ui/layout/card.tsx";

/** Title, filters, rows, in the width of the window. */
export function LoadingWideList() {
  return (
    <div data-full>
      <LoadingList />
    </div>
  );
}

/** Title, filters, rows. */
export function LoadingList() {
  return (
    <LoadingPage>
      <LoadingTitle />
      <div className="grid gap-4">
        <Skeleton className="h-9 md:h-8" />
        <LoadingRows />
      </div>
    </LoadingPage>
  );
}

/** Title, figures, a chart, rows. */
export function LoadingHome() {
  return (
    <LoadingPage>
      <LoadingTitle />
      <div className="grid grid-cols-2 gap-3 lg:grid-cols-4">
        {[1, 2, 3, 4].map((at) => (
          <Skeleton key={at} className="h-24 rounded-lg" />
        ))}
      </div>
      <Skeleton className="h-64 rounded-lg" />
      <LoadingRows />
    </LoadingPage>
  );
}

/** Title and tabs, then cards. */
export function LoadingTabs() {
  return (
    <LoadingPage>
      <div className="grid gap-4">
        <LoadingTitle />
        <div className="flex gap-4 border-b pb-2.5">
          <Skeleton className="h-5 w-20" />
          <Skeleton className="h-5 w-20" />
        </div>
      </div>
      <Skeleton className="h-24 rounded-lg" />
      <LoadingRows />
    </LoadingPage>
  );
}

/** Title and two cards: what happened, and what arrived. */
export function LoadingDelivery() {
  return (
    <LoadingPage>
      <LoadingTitle />
      <DeliveryPartsLoading />
    </LoadingPage>
  );
}

/** The history and the payload, side by side. */
export function DeliveryPartsLoading() {
  return (
    <div className="grid grid-cols-1 gap-6 lg:grid-cols-2">
      <Skeleton className="h-96 rounded-lg" />
      <Skeleton className="h-96 rounded-lg" />
    </div>
  );
}

/** Name, tabs, and the three columns of the editor. */
export function LoadingEditor() {
  return (
    <LoadingPage>
      <div className="editor">
        <Skeleton className="mt-6 h-9 max-w-xl" />
        <Skeleton className="h-10" />
        <div data-wide className="editor-columns">
          <Skeleton className="editor-column h-96 rounded-lg lg:row-span-2 xl:row-span-1" />
          <Skeleton className="editor-column h-[40rem] rounded-lg" />
          <Skeleton className="editor-column h-40 rounded-lg" />
        </div>
      </div>
    </LoadingPage>
  );
}

/** Title and sections with fields. */
export function LoadingForm() {
  return (
    <LoadingPage>
      <LoadingTitle />
      {[1, 2, 3].map((at) => (
        <Skeleton key={at} className="h-48 max-w-4xl rounded-lg" />
      ))}
    </LoadingPage>
  );
}

function LoadingTitle() {
  return <Skeleton className="h-8 w-48" />;
}

/** The number of rows on the first screen. */
const rows = Array.from({ length: 14 }, (_, at) => at);

function LoadingRows() {
  return (
    <Card className="divide-y">
      {rows.map((at) => (
        <div key={at} className="skeleton-row">
          <Skeleton />
        </div>
      ))}
    </Card>
  );
}

/** A placeholder while loading. `className` gives it the final size, so that nothing jumps. */
function Skeleton({ className }: { className?: string }) {
  return <div className={classNames("skeleton", className)} />;
}

/** A loading page, announced once to screen readers. */
function LoadingPage({ children }: { children: ReactNode }) {
  return (
    <div
      role="status"
      aria-label="Loading"
      className="grid animate-pulse content-start gap-8 motion-reduce:animate-none"
    >
      {children}
    </div>
  );
}
