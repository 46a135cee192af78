export { LoadingTabs as default } from "#components/shell/loading-pages.tsx";
