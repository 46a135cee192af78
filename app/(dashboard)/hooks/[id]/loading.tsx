export { LoadingTabs as default } from "#components/loading-pages.tsx";
